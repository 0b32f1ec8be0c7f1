import type { account as en } from '../en/account.ts';
import type { Translation } from '../phrases.ts';

export const account: Translation<typeof en> = {
  title: '账户',
  available: '可用余额',
  availableHint: '可立即用于代付或提现。',
  locked: '冻结金额',
  lockedHint: '处理中的代付和提现所冻结的金额。',
  balance: '账户余额',
  balanceHint: '可用余额与冻结金额之和。',
  total: '资金总额',
  totalHint: '账户余额与未结算金额之和。',
  ofWhichUnsettled: '含未结算 {{amount}}',
};
