import type { testMode as en } from '../en/test-mode.ts';
import type { Translation } from '../phrases.ts';

export const testMode: Translation<typeof en> = {
  band: '测试模式：此处的操作不涉及真实资金',
  titleMark: '测试',
  title: '测试模式',
  enterText:
    '测试模式拥有独立的订单、资金、列表和接口密钥。其中的银行均由沙箱模拟，您可以放心试用所有功能，不会动用真实资金。',
  sameText: '人员、角色、审批规则和费率与正式模式相同，请在正式模式中更改。',
  enter: '切换到测试模式',
  leave: '返回正式模式',
  funds: '添加测试资金',
  fundsText: '增加可用余额，以便试用代付。测试资金没有任何价值。',
  amount: '金额（{{currency}}）',
  added: '测试资金已添加。',
  wipe: '清空测试数据',
  wipeText:
    '关闭当前测试环境，并开启一个空的测试环境：密钥不同，没有订单、资金、链接和导出文件。旧密钥立即失效。此操作无法撤销。',
};
