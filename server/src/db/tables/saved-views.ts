import type { ExportList } from '@hengfu/contract/export-columns';
import type { Generated, GeneratedAlways } from 'kysely';

export interface SavedViewTables {
  saved_view: SavedViewTable;
}

interface SavedViewTable {
  id: GeneratedAlways<bigint>;
  merchant_id: bigint;
  user_id: bigint;
  list: ExportList;
  name: string;
  filters: unknown;
  columns: string[];
  saved_at: Generated<Date>;
}
