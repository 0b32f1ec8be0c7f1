import type { AnnouncementKind } from '@hengfu/contract/announcements';
import type { Language } from '@hengfu/contract/languages';
import {
  type AnnouncementBody,
  announcementLimits,
  type StaffAnnouncement,
} from '@hengfu/contract/staff/announcements';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '#db/database.ts';

/** An announcement as it is stored, with the codes of its merchants. */
export interface StoredAnnouncement {
  id: bigint;
  kind: AnnouncementKind;
  state: StaffAnnouncement['state'];
  text: { en: string } & Partial<Record<Language, string>>;
  startsAt: Date;
  endsAt: Date | null;
  endedAt: Date | null;
  merchants: string[] | null;
}

async function read(tx: Tx, rest: RawBuilder<unknown>): Promise<StoredAnnouncement[]> {
  const { rows } = await sql<StoredAnnouncement>`
    select a.id, a.kind, a.starts_at as "startsAt", a.ends_at as "endsAt", a.ended_at as "endedAt",
      case when a.ended_at is not null or a.ends_at <= now() then 'over' when a.starts_at > now() then 'planned' else 'shown' end as state,
      json_strip_nulls(json_build_object('en', a.text_en, 'zh-cn', a.text_zh_cn, 'vi', a.text_vi)) as text,
      case when a.merchants is not null then array(select m.code from staff_merchant m where m.id = any (a.merchants) order by 1) end as merchants
    from announcement a ${rest}`.execute(tx.query);
  return rows;
}

/** Lists the latest announcements, newest first. */
export function listStored(tx: Tx): Promise<StoredAnnouncement[]> {
  return read(tx, sql`order by a.id desc limit ${announcementLimits.listed}::integer`);
}

/** Locks an announcement until the transaction ends. */
export async function lockAnnouncement(tx: Tx, id: bigint): Promise<StoredAnnouncement | undefined> {
  const [found] = await read(tx, sql`where a.id = ${id}::bigint for update of a`);
  return found;
}

function columnsOf(
  { kind, text, textZhCn, textVi, startsAt, endsAt }: AnnouncementBody,
  merchants: bigint[] | null,
) {
  return {
    kind,
    text_en: text,
    text_zh_cn: textZhCn ?? null,
    text_vi: textVi ?? null,
    starts_at: sql<Date>`coalesce(${startsAt}::timestamptz, now())`,
    ends_at: endsAt === null ? null : new Date(endsAt),
    merchants,
  };
}

/** Stores an announcement; returns its ID. */
export async function insertAnnouncement(
  tx: Tx,
  body: AnnouncementBody,
  merchants: bigint[] | null,
): Promise<bigint> {
  const { id } = await tx.query
    .insertInto('announcement')
    .values(columnsOf(body, merchants))
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Changes an announcement that the transaction has locked. */
export async function changeAnnouncement(
  tx: Tx,
  id: bigint,
  body: AnnouncementBody,
  merchants: bigint[] | null,
): Promise<void> {
  await tx.query
    .updateTable('announcement')
    .set({ ...columnsOf(body, merchants), changed_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute();
}

/** Ends an announcement that the transaction has locked. */
export async function endAnnouncement(tx: Tx, id: bigint): Promise<void> {
  await tx.query
    .updateTable('announcement')
    .set({ ended_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute();
}

/** Finds the IDs of merchants by their codes. */
export async function findMerchantIds(tx: Tx, codes: readonly string[]): Promise<Map<string, bigint>> {
  const rows = await tx.query
    .selectFrom('staff_merchant')
    .select(['code', 'id'])
    .where('code', 'in', codes)
    .execute();
  return new Map(rows.map(({ code, id }) => [code, id]));
}
