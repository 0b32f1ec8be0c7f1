import type { Currency } from '@hengfu/contract/money';
import type { Generated } from 'kysely';

export interface ArchiveTables {
  archived_month: ArchivedMonthTable;
  archived_part: ArchivedPartTable;
  archived_entry_sum: ArchivedEntrySumTable;
  archived_split_transfer: ArchivedSplitTransferTable;
  audit_root: AuditRootTable;
  audit_seal: AuditSealTable;
}

interface ArchivedMonthTable {
  table_name: string;
  month: Date;
  file_key: string;
  begun_at: Generated<Date>;
  archived_at: Date | null;
  row_count: bigint | null;
  bytes: bigint | null;
  sha256: Buffer | null;
}

interface ArchivedPartTable {
  merchant_id: bigint;
  table_name: string;
  month: Date;
  number: number;
  offset_bytes: bigint;
  length_bytes: bigint;
  row_count: number;
  first_key: string;
  last_key: string;
  lowest_transfer_id: bigint | null;
  highest_transfer_id: bigint | null;
  sha256: Buffer | null;
  lowest_id: bigint | null;
  highest_id: bigint | null;
  terms: Buffer | null;
}

interface ArchivedEntrySumTable {
  merchant_id: bigint;
  account_id: bigint;
  month: Date;
  entry_count: bigint;
  credit_minor: bigint;
  debit_minor: bigint;
  last_version: bigint;
  last_at: Date;
  balance_after_minor: bigint;
  inflow_after_minor: bigint;
}

interface ArchivedSplitTransferTable {
  merchant_id: bigint;
  transfer_id: bigint;
  month: Date;
  currency: Currency;
  amount_minor: bigint;
}

interface AuditRootTable {
  number: bigint;
  previous_number: bigint | null;
  from_id: bigint;
  to_id: bigint;
  sealed_at: Date;
  sha256: Buffer;
  mac: string;
}

interface AuditSealTable {
  merchant_id: bigint;
  root_number: bigint;
  from_id: bigint;
  to_id: bigint;
  row_count: number;
  sha256: Buffer;
}
