import type { NoticeKind } from '@hengfu/contract/notices';
import { maxUnread, noticeDays } from '@hengfu/contract/notices';
import { type RawBuilder, sql } from 'kysely';
import type { MerchantTx, Tx } from '#db/database.ts';
import type { NoticeFacts } from '#domain/notices.sql.ts';

/** A notice as one person sees it. */
export interface Notice {
  id: bigint;
  kind: NoticeKind;
  subject: string | null;
  facts: NoticeFacts;
  createdAt: Date;
  isRead: boolean;
}

/** A person and the notice kinds that the person may read. */
export interface Reader {
  userId: bigint;
  kinds: readonly NoticeKind[];
}

/**
 * A reader with the ids above which notices are visible, and unread. Passed as values, they limit how much a
 * query reads.
 */
export interface BoundReader extends Reader {
  visibleAfter: bigint;
  readUpTo: bigint;
}

/**
 * Looks up a reader's bounds: notices from before the person joined are hidden, and those up to the mark are read.
 */
export async function withBounds(tx: MerchantTx, reader: Reader): Promise<BoundReader> {
  const { rows } = await sql<{ visibleAfter: bigint; readUpTo: bigint }>`
    select coalesce((select n.id from notice n where n.merchant_id = p.merchant_id and n.created_at < p.created_at
        order by n.created_at desc limit 1), 0) as "visibleAfter",
      coalesce((select m.up_to_id from notice_mark m where m.merchant_id = p.merchant_id and m.user_id = p.user_id), 0)
        as "readUpTo"
    from membership p where p.merchant_id = ${tx.merchantId} and p.user_id = ${reader.userId}`.execute(
    tx.query,
  );
  const [bounds] = rows;
  if (!bounds) throw new Error('no user row for the reader of notices');
  return { ...reader, ...bounds };
}

/**
 * A notice with a smaller id may be committed after one with a larger id, but no writer takes this long. A
 * mark up to an id therefore covers only notices older than this; newer ones are marked one by one.
 */
const settledAfter = sql`interval '5 minutes'`;

/** The notices visible to a reader, joined with single read marks (`r`). */
function noticesOf(tx: MerchantTx, { userId, kinds, visibleAfter }: BoundReader): RawBuilder<unknown> {
  return sql`notice n
    left join notice_read r on r.merchant_id = n.merchant_id and r.user_id = ${userId} and r.notice_id = n.id
    where n.merchant_id = ${tx.merchantId} and n.kind = any(${[...kinds]}::text[])
      and (n.user_id is null or n.user_id = ${userId}) and n.id > ${visibleAfter}`;
}

function isUnread({ readUpTo }: BoundReader): RawBuilder<unknown> {
  return sql`n.id > ${readUpTo} and r.notice_id is null`;
}

/** Lists the newest notices, below an id if one is given. */
export async function listNotices(
  tx: MerchantTx,
  reader: BoundReader,
  { below, limit }: { below: bigint | null; limit: number },
): Promise<Notice[]> {
  const { rows } = await sql<Notice>`
    select n.id, n.kind, n.subject, n.facts, n.created_at as "createdAt", not (${isUnread(reader)}) as "isRead"
    from ${noticesOf(tx, reader)} and (${below}::bigint is null or n.id < ${below})
    order by n.id desc limit ${limit}`.execute(tx.query);
  return rows;
}

/** Counts unread notices, up to the contract's limit. */
export async function countUnread(tx: MerchantTx, reader: BoundReader): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count
    from (select from ${noticesOf(tx, reader)} and ${isUnread(reader)} limit ${maxUnread}) unread`.execute(
    tx.query,
  );
  return rows[0]?.count ?? 0;
}

/** Marks some of a reader's notices as read; ids of other notices are ignored. */
export async function markSome(
  tx: MerchantTx,
  reader: BoundReader,
  condition: { ids: readonly bigint[] } | { upTo: bigint },
): Promise<void> {
  const chosen =
    'ids' in condition ? sql`n.id = any(${condition.ids}::bigint[])` : sql`n.id <= ${condition.upTo}`;
  await sql`
    insert into notice_read (merchant_id, user_id, notice_id)
    select n.merchant_id, ${reader.userId}::bigint, n.id from ${noticesOf(tx, reader)} and ${isUnread(reader)} and ${chosen}
    on conflict do nothing`.execute(tx.query);
}

/**
 * Marks all notices up to an id as read, as far as no smaller id can still appear, and deletes the single
 * marks below.
 */
export async function raiseMark(tx: MerchantTx, { userId }: Reader, upTo: bigint): Promise<void> {
  await sql`
    insert into notice_mark as m (merchant_id, user_id, up_to_id)
    select ${tx.merchantId}::bigint, ${userId}::bigint, n.id from notice n
    where n.merchant_id = ${tx.merchantId} and n.id <= ${upTo} and n.created_at < clock_timestamp() - ${settledAfter}
    order by n.id desc limit 1
    on conflict (merchant_id, user_id) do update set up_to_id = greatest(m.up_to_id, excluded.up_to_id)`.execute(
    tx.query,
  );
  await sql`
    delete from notice_read r using notice_mark m
    where m.merchant_id = ${tx.merchantId} and m.user_id = ${userId}
      and r.merchant_id = m.merchant_id and r.user_id = m.user_id and r.notice_id <= m.up_to_id`.execute(
    tx.query,
  );
}

/** Deletes expired notices or read marks, at most `limit`; returns how many. */
export async function deleteOld(tx: Tx, table: 'notice' | 'notice_read', limit: number): Promise<number> {
  const at = sql.ref(table === 'notice' ? 'created_at' : 'read_at');
  const result = await sql`
    delete from ${sql.table(table)} where ctid = any(array(
      select ctid from ${sql.table(table)} where ${at} < now() - ${noticeDays} * interval '1 day'
      order by ${at} limit ${limit}))`.execute(tx.query);
  return Number(result.numAffectedRows ?? 0);
}
