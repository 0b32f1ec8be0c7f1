import type { receipts as en } from '../en/receipts.ts';
import type { Translation } from '../phrases.ts';

export const receipts: Translation<typeof en> = {
  title: '付款收据',
  state: {
    paid: '已付款',
    partlyRefunded: '已付款，部分退款',
    refunded: '已付款，已全额退款',
  },
  amount: '付款金额',
  refunded: '已退款',
  kept: '退款后金额',
  registeredName: '商户',
  subject: '商品',
  channel: '支付方式',
  trade_no: '支付单号',
  out_trade_no: '商家订单号',
  bankReference: '银行流水号',
  createdAt: '下单时间',
  paidAt: '付款时间',
  refundedAt: '退款时间',
  asOf: '由 {{title}} 出具，截至 {{time}}。',
  note: '本收据仅证明付款，不作为税务发票。最新状态请见：',
  download: '下载 PDF',
  busy: '正在生成的收据较多，请稍后再试。',
  failed: 'PDF 生成失败，请检查网络后重试。',
  notFoundText: '请确认链接是否完整，或向商家索取收据。',
  forPayer: '收据',
  forPayerText: '付款人看到的收据页面，付款后两年内有效，持有链接的人均可查看。',
  show: '显示收据',
  open: '打开收据',
  link: '收据链接',
};
