import type { Generated } from 'kysely';

export interface ArchiveTables {
  archived_month: ArchivedMonthTable;
  archived_part: ArchivedPartTable;
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
}
