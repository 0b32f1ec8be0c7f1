import type { ipAddress as en } from '../en/ip-address.ts';
import type { Translation } from '../phrases.ts';

export const ipAddress: Translation<typeof en> = {
  title: 'IP 白名单',
  intro: '仅允许以下地址调用开放接口；名单为空时，拒绝所有调用。',
  label: '允许的 IP 地址',
  hint: '每行一个地址或网段（CIDR），支持 IPv4 和 IPv6。',
  placeholder: '请输入 IP 地址。',
  check: '预览效果',
  save: '保存',
  yoursIn: '您当前的 IP 地址 {{address}} 可以访问。',
  yoursOut: '您当前的 IP 地址 {{address}} 将被拒绝访问。',
  calls: '近 7 天的接口调用',
  noCalls: '近 7 天没有接口调用。',
  address: '地址',
  count: '调用次数',
  outcome: '按此名单',
  allowed: '允许',
  refused: '拒绝',
  openTitle: '确定放行这么多地址？',
  openText: '密钥一旦泄露，任何人都能从这些地址使用它。请尽量只填写您自己服务器的地址。',
  saveAnyway: '仍然保存',
  closedTitle: '确定拒绝您自己的系统？',
  closedText: '重新加入这些地址之前，您的系统无法通过开放接口下单或查询。',
};
