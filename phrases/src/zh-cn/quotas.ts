import type { quotas as en } from '../en/quotas.ts';
import type { Translation } from '../phrases.ts';

export const quotas: Translation<typeof en> = {
  exportsOfMerchant: '每个商户未完成的导出',
  exportsOfUser: '每位用户未完成的导出',
  batchesOfMerchant: '每个商户未完成的代付批次',
  wipesOfMerchant: '24 小时内的测试数据清空次数',
  linksOfMerchant: '每个商户的收款链接',
  callbackEndpointsOfMerchant: '每个商户的回调端点',
  topupsOfMerchant: '每个商户待审核的充值',
  keysOfMerchant: '每个商户的接口密钥',
  replacedKeysOfMerchant: '每个商户仍在保留期内的旧密钥',
  passkeysOfUser: '每位用户的通行密钥',
  membersOfMerchant: '每个商户的成员和待接受的邀请',
  ownRolesOfMerchant: '每个商户的自定义角色',
  evidenceOfMember: '每人已上传但尚未用于请求的文件',
  evidenceOfMemberDaily: '每人 24 小时内上传的文件',
  evidenceDaily: '全员 24 小时内上传的文件',
  streamsOfUser: '每位用户同时打开的页面',
  streamsOfMerchant: '每个商户同时打开的页面',
};
