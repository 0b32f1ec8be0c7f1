import type { NoticeKind } from '@hengfu/contract/notices';
import type { Generated, GeneratedAlways } from 'kysely';

export interface NoticeTables {
  notice: NoticeTable;
  notice_mark: NoticeMarkTable;
  notice_read: NoticeReadTable;
  sign_in_origin: SignInOriginTable;
}

interface NoticeTable {
  id: GeneratedAlways<bigint>;
  merchant_id: bigint;
  kind: NoticeKind;
  user_id: bigint | null;
  subject: string | null;
  facts: unknown;
  created_at: Generated<Date>;
}

interface NoticeMarkTable {
  merchant_id: bigint;
  user_id: bigint;
  up_to_id: bigint;
}

interface NoticeReadTable {
  merchant_id: bigint;
  user_id: bigint;
  notice_id: bigint;
  read_at: Generated<Date>;
}

interface SignInOriginTable {
  user_id: bigint;
  kind: 'address' | 'browser';
  value: string;
  last_at: Generated<Date>;
}
