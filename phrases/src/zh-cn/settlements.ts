import type { settlements as en } from '../en/settlements.ts';
import type { Translation } from '../phrases.ts';

export const settlements: Translation<typeof en> = {
  title: '结算记录',
  settlement_no: '结算单号',
  status: {
    pendingSettlement: '待结算',
    settled: '已结算',
  },
  statusLabel: '状态',
  orderCount: '订单笔数',
  refundCount: '退款笔数',
  amount: '代收金额',
  fee: '手续费',
  refunded: '退款金额',
  net: '净额',
  cutOffAt: '结算截止时间',
  createdAt: '创建时间',
  settledAt: '结算时间',
  lines: '本次结算的订单',
  lineKind: {
    payment: '收款',
    refund: '退款',
  },
  kind: '类型',
  linesSum: '订单合计：',
  netMatches: '净额与订单合计一致。',
  empty: '暂无结算记录。已支付的订单将于下一个结算截止时间结算。',
  details: '结算信息',
  batch: '结算单 {{settlement_no}}',
  sum: '净额合计：',
  netHint: '代收金额减去手续费，再减去此前已结算订单的退款。',
  netDiffers: '净额（{{net}}）与订单合计（{{sum}}）不一致。请勿使用这些数据，并立即联系客服。',
  netUnknown: '订单较多，此处不显示合计；系统每晚对账时会核对这些订单。',
  linesEmpty: '本次结算没有订单。',
};
