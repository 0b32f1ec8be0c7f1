import type { AnnouncementKind } from '@hengfu/contract/announcements';
import type { Generated, GeneratedAlways } from 'kysely';

export interface AnnouncementTables {
  announcement: AnnouncementTable;
  announcement_dismissal: DismissalTable;
}

interface AnnouncementTable {
  id: GeneratedAlways<bigint>;
  kind: AnnouncementKind;
  text_en: string;
  text_zh_cn: string | null;
  text_vi: string | null;
  starts_at: Date;
  ends_at: Date | null;
  merchants: bigint[] | null;
  created_at: Generated<Date>;
  changed_at: Generated<Date>;
  ended_at: Date | null;
}

interface DismissalTable {
  user_id: bigint;
  announcement_id: bigint;
  at: Generated<Date>;
}
