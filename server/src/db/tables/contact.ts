import type { ContactKind } from '@hengfu/contract/contact';
import type { Generated, GeneratedAlways } from 'kysely';

export interface ContactTables {
  contact_way: ContactWayTable;
}

interface ContactWayTable {
  id: GeneratedAlways<bigint>;
  kind: ContactKind;
  value: string;
  note_en: string | null;
  note_zh_cn: string | null;
  note_vi: string | null;
  created_at: Generated<Date>;
}
