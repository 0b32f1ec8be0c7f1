import type { ExportList } from '@hengfu/contract/export-columns';
import type { ExportPeriod } from '@hengfu/contract/export-schedules';
import type { ExportFormat, ExportStatus, exportReasons } from '@hengfu/contract/exports';
import type { Language } from '@hengfu/contract/languages';
import type { Generated, GeneratedAlways } from 'kysely';

export interface ExportTables {
  export_task: ExportTaskTable;
  export_schedule: ExportScheduleTable;
}

interface ExportScheduleTable {
  id: GeneratedAlways<bigint>;
  merchant_id: bigint;
  name: string;
  list: ExportList;
  filters: unknown;
  columns: string[];
  format: ExportFormat;
  language: Language;
  zone: string;
  every: ExportPeriod;
  next_at: Date;
  created_by: string;
  created_at: Generated<Date>;
}

interface ExportTaskTable {
  id: GeneratedAlways<bigint>;
  merchant_id: bigint;
  export_no: string;
  list: ExportList;
  filters: unknown;
  columns: string[];
  format: ExportFormat;
  language: Language;
  zone: string;
  schedule_name: string | null;
  status: Generated<ExportStatus>;
  attempt: Generated<number>;
  written_rows: Generated<bigint>;
  file_name: string;
  file_key: string | null;
  bytes: bigint | null;
  sha256: Buffer | null;
  sums: unknown;
  reason: (typeof exportReasons)[number] | null;
  created_by: string;
  created_at: Generated<Date>;
  alive_at: Date | null;
  finished_at: Date | null;
  expires_at: Date | null;
  awaits_notice: Generated<boolean>;
}
