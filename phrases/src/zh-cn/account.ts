import type { account as en } from '../en/account.ts';
import type { Translation } from '../phrases.ts';

export const account: Translation<typeof en> = {
  title: '账户',
  available: '可用资金',
  availableHint: '现在即可代付或提现。',
  locked: '冻结资金',
  lockedHint: '因处理中的代付和提现而冻结的资金。',
  balance: '账户余额',
  balanceHint: '可用资金与冻结资金之和。',
  total: '资金总额',
  totalHint: '账户余额与未结算资金之和。',
  ofWhichUnsettled: '其中未结算：{{amount}}',
};
