import type { dashboard as en } from '../en/dashboard.ts';
import type { Translation } from '../phrases.ts';

export const dashboard: Translation<typeof en> = {
  title: '首页',
  today: '今日',
  collected: '代收',
  paidOut: '代付',
  amount: '金额',
  count: '笔数',
  successRate: '成功率',
  successRateHint: '当日创建且已出结果的订单中，成功订单的占比。',
  noneDecided: '暂无已出结果的订单',
  trend: '分时趋势',
  trendCollected: '今日代收',
  trendCollectedYesterday: '昨日代收',
  trendPaidOut: '今日代付',
  asOf: '截至 {{time}}',
  versusYesterday: '昨日：{{value}}',
  hour: '时段',
  showChart: '显示图表',
  showTable: '显示表格',
  trendText: '今日分时趋势图：目前代收 {{amount}}，代付 {{paidOut}}。详细数据见表格。',
};
