import { type Announcement, announcementsShown } from '@hengfu/contract/announcements';
import type { Language } from '@hengfu/contract/languages';
import { sql } from 'kysely';
import type { MerchantTx } from '#db/database.ts';

/** Announcements that a person sees now, and when the next one begins or ends. */
export interface Announced {
  shown: Announcement[];
  nextAt: Date | null;
}

const textIn: Readonly<Record<Language, string>> = { en: 'text_en', 'zh-cn': 'text_zh_cn', vi: 'text_vi' };

/** Reads what a person of the transaction's merchant sees. Row security leaves out what is for other merchants. */
export async function readAnnounced(tx: MerchantTx, userId: bigint, language: Language): Promise<Announced> {
  const { rows } = await sql<{ shown: Announcement[]; nextAt: Date | null }>`
    with open as materialized (
      select id, kind, coalesce(${sql.ref(textIn[language])}, text_en) as text, starts_at, ends_at, changed_at
      from announcement where ended_at is null and (ends_at is null or ends_at > now())
    ), shown as (
      select id::text, kind, text, to_char(changed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "changedAt" from open o
      where starts_at <= now() and not exists (
        select from announcement_dismissal d
        where d.user_id = ${userId} and d.announcement_id = o.id and d.at >= o.changed_at)
      order by o.id desc limit ${announcementsShown}::integer
    )
    select coalesce((select json_agg(shown) from shown), '[]') as shown,
      (select min(case when starts_at > now() then starts_at else ends_at end) from open) as "nextAt"`.execute(
    tx.query,
  );
  return rows[0] ?? { shown: [], nextAt: null };
}

/** A dismissal by a person: of the version of an announcement that `changedAt` names, or of the current one. */
interface Dismissal {
  userId: bigint;
  id: bigint;
  changedAt: string | undefined;
}

/** Dismisses an announcement for a person. Returns false if the merchant of the transaction has none with this ID. */
export async function dismissAnnouncement(
  tx: MerchantTx,
  { userId, id, changedAt }: Dismissal,
): Promise<boolean> {
  // Later versions have later times, so the time of the version that was read dismisses none of them.
  const { numAffectedRows } = await sql`
    insert into announcement_dismissal as known (user_id, announcement_id, at)
    select ${userId}::bigint, id, least(coalesce(${changedAt ?? null}::timestamptz, now()), now())
    from announcement where id = ${id}::bigint
    on conflict (user_id, announcement_id) do update set at = greatest(known.at, excluded.at)`.execute(
    tx.query,
  );
  return numAffectedRows === 1n;
}
