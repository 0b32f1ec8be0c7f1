import type { payLinks as en } from '../en/pay-links.ts';
import type { Translation } from '../phrases.ts';

export const payLinks: Translation<typeof en> = {
  quantity: '数量',
  amount: '金额',
  range: '{{least}} 至 {{most}}',
  name: '姓名',
  email: '邮箱',
  reference: '订单参考号',
  next: '去付款',
  sending: '请稍候…',
  changed: '商家刚刚修改了此页面，请重新核对。',
  closedTitle: '此链接已关闭',
  closedText: '{{merchant}} 目前不通过此链接收款。',
  usedUpTitle: '此链接的次数已用完',
  usedUpText: '请向 {{merchant}} 索取新的链接。',
  busyTitle: '其他人正在付款',
  busyText: '如其他人未完成付款，几分钟后您可再试。',
  retry: '重试',
  notFoundTitle: '收款链接不存在',
  notFoundText: '请检查地址，或联系发送链接的人。',
  paidTitle: '感谢您的付款',
  unpaidTitle: '尚未付款',
  unpaidText: '如果刚刚付款，请稍候片刻。',
  toCheckout: '返回付款',
  offline: '网络已断开，请检查连接。',
  total: '应付',
};
