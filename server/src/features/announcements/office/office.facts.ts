import type { AnnouncementBody } from '@hengfu/contract/staff/announcements';
import type { RequestFact } from '@hengfu/contract/staff/requests';
import type { StoredAnnouncement } from './office.sql.ts';

/** The values of an announcement, as the second person reads them. */
type Shown = Partial<Record<RequestFact['name'], string | null>>;

/** Lists everything that the second person has to read of an announcement. */
export function factsOf(before: StoredAnnouncement | undefined, after: AnnouncementBody): RequestFact[] {
  const [old, now] = [before ? shownBefore(before) : {}, shownAfter(after)];
  return (Object.keys(now) as RequestFact['name'][])
    .map((name) => ({ name, before: old[name] ?? null, after: now[name] ?? null }))
    .filter((fact) => fact.before !== null || fact.after !== null);
}

/** Times and codes are put into words where they are shown: no time means once a second person agrees, no codes all merchants. */
function shownAfter({ kind, text, textZhCn, textVi, startsAt, endsAt, merchants }: AnnouncementBody): Shown {
  return {
    announcementKind: kind,
    text,
    textZhCn: textZhCn ?? null,
    textVi: textVi ?? null,
    startsAt: startsAt ?? '',
    endsAt,
    merchants: merchants.join(', '),
  };
}

function shownBefore({ kind, text, startsAt, endsAt, merchants }: StoredAnnouncement): Shown {
  return {
    announcementKind: kind,
    text: text.en,
    textZhCn: text['zh-cn'] ?? null,
    textVi: text.vi ?? null,
    startsAt: startsAt.toISOString(),
    endsAt: endsAt?.toISOString() ?? null,
    merchants: merchants?.join(', ') ?? '',
  };
}
