import type { Currency } from '@hengfu/contract/money';
import type { Generated, GeneratedAlways } from 'kysely';

export interface LedgerTables {
  ledger_account: LedgerAccountTable;
  ledger_transfer: LedgerTransferTable;
  ledger_entry: LedgerEntryTable;
  order_rollup: RollupTable;
  order_rollup_closing: RollupClosingTable;
  order_rollup_period: RollupPeriodTable;
  order_rollup_day: RollupDayTable;
  order_outcome_day: OutcomeDayTable;
  ledger_proof: LedgerProofTable;
}

interface LedgerAccountTable {
  id: GeneratedAlways<bigint>;
  merchant_id: bigint;
  kind: string;
  reference: Generated<string>;
  currency: Currency;
  balance_minor: Generated<bigint>;
  version: Generated<bigint>;
  last_at: Date | null;
  inflow_minor: Generated<bigint>;
}

interface LedgerTransferTable {
  id: GeneratedAlways<bigint>;
  merchant_id: bigint;
  type: string;
  idempotency_key: string;
  subject_no: string;
  created_at: Generated<Date>;
}

interface LedgerEntryTable {
  merchant_id: bigint;
  account_id: bigint;
  version: bigint;
  transfer_id: bigint;
  amount_minor: bigint;
  balance_after_minor: bigint;
  inflow_after_minor: bigint;
  statement_type: string | null;
  created_at: Generated<Date>;
}

interface LedgerProofTable {
  id: GeneratedAlways<bigint>;
  begun_at: Date;
  ended_at: Generated<Date>;
  violation_count: number;
  examples: Generated<unknown>;
}

type RollupKind = 'collection' | 'payout';
type RollupAxis = 'created' | 'paid';

interface RollupTable {
  merchant_id: bigint;
  kind: RollupKind;
  axis: RollupAxis;
  currency: Currency;
  bucket: Date;
  channel: string;
  status: string;
  settlement_status: string;
  stripe: number;
  orders: bigint;
  amount_minor: bigint;
  fee_minor: bigint;
}

interface RollupClosingTable {
  merchant_id: bigint;
  closed_through: Date;
}

interface RollupPeriodTable {
  merchant_id: bigint;
  kind: RollupKind;
  axis: RollupAxis;
  currency: Currency;
  period: 'day' | 'month';
  starts_on: Date;
  channel: string;
  status: string;
  settlement_status: string;
  orders: bigint;
  amount_minor: bigint;
  fee_minor: bigint;
}

interface RollupDayTable {
  merchant_id: bigint;
  kind: RollupKind;
  currency: Currency;
  day: Date;
  done_counts: bigint[];
  done_amounts_minor: bigint[];
  fees_minor: bigint[];
}

interface OutcomeDayTable {
  merchant_id: bigint;
  kind: RollupKind;
  currency: Currency;
  day: Date;
  channel: string;
  succeeded_counts: bigint[];
  lost_counts: bigint[];
}
