import type { FundFlowRow } from '@hengfu/contract/fund-flow';
import { type Currency, formatAmount } from '@hengfu/contract/money';
import { fundFlowType } from './fund-flow.rules.ts';
import type { StatementPage } from './fund-flow.sql.ts';

/** Maps an entry to its API form. */
export function toRow(entry: StatementPage['rows'][number], currency: Currency): FundFlowRow {
  return {
    entry_no: String(entry.version),
    type: fundFlowType(entry.type),
    amount: formatAmount(entry.amount_minor, currency),
    balance: formatAmount(entry.balance_after_minor, currency),
    currency,
    subject_no: entry.subject_no,
    createdAt: entry.created_at.toISOString(),
  };
}
