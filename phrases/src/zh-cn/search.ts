import type { search as en } from '../en/search.ts';
import type { Translation } from '../phrases.ts';

export const search: Translation<typeof en> = {
  title: '搜索',
  placeholder: '页面、操作、订单号、收款人…',
  results: '搜索结果',
  group: { recent: '最近打开', pages: '页面', actions: '操作' },
  kind: {
    collection: '代收订单',
    payout: '代付订单',
    topup: '充值',
    withdrawal: '提现',
    settlement: '结算',
    export: '导出',
    batch: '批量代付',
  },
  action: {
    collection: '新建收款',
    payout: '发起代付',
    batch: '批量代付（上传文件）',
    topup: '充值',
    withdraw: '提现',
    dark: '切换到深色主题',
    light: '切换到浅色主题',
    language: '语言：{{name}}',
    help: '键盘快捷键',
    signOut: '退出登录',
  },
  searching: '正在搜索订单…',
  nothing: '未找到订单。',
  what: '可按平台订单号、商户订单号、收款人、收款账号、银行流水号、链上交易哈希、钱包地址，以及结算单号、导出编号或批次号查找。',
  count_one: '{{count}} 条结果',
  count_other: '{{count}} 条结果',
  help: {
    title: '键盘快捷键',
    on: '启用单键快捷键',
    onHint: '如与语音控制等操作冲突，可在此关闭。{{keys}} 始终可用。',
    everywhere: '全局',
    pages: '前往页面：先按 G，再按字母',
    palette: '搜索',
    filter: '定位到列表筛选项，或打开搜索',
  },
};
