import type { officeLooks as en } from '../en/office-looks.ts';
import type { Translation } from '../phrases.ts';

export const officeLooks: Translation<typeof en> = {
  title: '{{name}}：商户视角',
  see: '以该商户视角查看',
  begin: '开始查看',
  text: '30 分钟内，您看到的内容与该商户的只读人员相同，不能修改或导出。商户会收到通知，其操作日志会记录时间和原因，但不显示您的姓名。',
  reason: '原因',
  reasonHint: '商户会看到该原因，请使用商户的语言。',
  looking: '您正以 {{name}} 人员的视角查看，不能做任何修改。查看结束时间：',
  pages: '商户页面',
  collections: '代收',
  payouts: '代付',
};
