import type { Currency } from '@hengfu/contract/money';
import type { Generated, GeneratedAlways } from 'kysely';

export interface LedgerTables {
  ledger_account: LedgerAccountTable;
  ledger_transfer: LedgerTransferTable;
  ledger_entry: LedgerEntryTable;
  order_rollup: RollupTable;
  order_rollup_day: RollupDayTable;
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

interface RollupTable {
  merchant_id: bigint;
  kind: 'collection' | 'payout';
  currency: Currency;
  bucket: Date;
  stripe: number;
  created_count: Generated<bigint>;
  created_amount_minor: Generated<bigint>;
  created_succeeded_count: Generated<bigint>;
  created_lost_count: Generated<bigint>;
  done_count: Generated<bigint>;
  done_amount_minor: Generated<bigint>;
  fee_minor: Generated<bigint>;
  reversed_count: Generated<bigint>;
  reversed_amount_minor: Generated<bigint>;
}

interface RollupDayTable {
  merchant_id: bigint;
  kind: 'collection' | 'payout';
  currency: Currency;
  day: Date;
  done_counts: bigint[];
  done_amounts_minor: bigint[];
  fees_minor: bigint[];
}
