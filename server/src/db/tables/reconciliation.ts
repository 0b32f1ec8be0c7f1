import type { ChannelCode } from '@hengfu/contract/channels';
import type { Currency } from '@hengfu/contract/money';
import type {
  DifferenceKind,
  DifferenceState,
  StatementFault,
  StatementFormat,
  StatementState,
} from '@hengfu/contract/staff/statement-days';
import type { Generated, GeneratedAlways } from 'kysely';

export interface ReconciliationTables {
  reconciliation_mapping: ReconciliationMappingTable;
  reconciliation_statement: ReconciliationStatementTable;
  reconciliation_line: ReconciliationLineTable;
  reconciliation_difference: ReconciliationDifferenceTable;
  staff_unmatched: StaffUnmatchedView;
}

interface ReconciliationMappingTable {
  channel: ChannelCode;
  zone: string;
  day_ends: Generated<string>;
  /** Columns of CSV files, or null. */
  csv: unknown;
  changed_by: bigint;
  changed_at: Generated<Date>;
}

interface ReconciliationStatementTable {
  id: GeneratedAlways<bigint>;
  channel: ChannelCode;
  currency: Currency;
  day: Date;
  zone: string;
  day_ends: string;
  starts_at: Date;
  ends_at: Date;
  format: StatementFormat;
  file_name: string;
  file_hash: Buffer;
  state: Generated<StatementState>;
  fault: StatementFault | null;
  fault_line: number | null;
  line_count: Generated<number>;
  credit_minor: Generated<bigint>;
  debit_minor: Generated<bigint>;
  opening_minor: bigint | null;
  closing_minor: bigint | null;
  clearing_minor: bigint | null;
  matched_at: Date | null;
  uploaded_by: bigint;
  uploaded_at: Generated<Date>;
  loaded_at: Generated<Date>;
  closed_by: bigint | null;
  closed_at: Date | null;
}

interface ReconciliationLineTable {
  statement_id: bigint;
  line_no: number;
  reference: string;
  amount_minor: bigint;
  value_day: Date | null;
  bank_reference: Generated<string>;
  text: Generated<string>;
}

interface ReconciliationDifferenceTable {
  id: GeneratedAlways<bigint>;
  statement_id: bigint;
  kind: DifferenceKind;
  state: Generated<DifferenceState>;
  reference: string;
  line_no: number | null;
  theirs_minor: bigint | null;
  ours_minor: bigint | null;
  other_day: Date | null;
  order_merchant: bigint | null;
  order_no: string | null;
  note: string | null;
  decided_by: bigint | null;
  decided_at: Date | null;
}

/** Differences that nobody has explained or adjusted yet, by channel. */
interface StaffUnmatchedView {
  channel: ChannelCode;
  count: bigint;
  oldest_day: Date;
  since: Date;
}
