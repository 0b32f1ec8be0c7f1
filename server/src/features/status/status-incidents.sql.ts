import type { Language } from '@hengfu/contract/languages';
import {
  historyDays,
  type IncidentImpact,
  type IncidentStage,
  type StatusComponent,
} from '@hengfu/contract/status';
import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';

/** A text by the operator: in English, and optionally in other languages. */
export type LocalizedText = { en: string } & Partial<Record<Language, string>>;

/** An incident with all its updates. */
export interface Incident {
  id: bigint;
  source: 'samples' | 'operator';
  component: StatusComponent | null;
  impact: IncidentImpact;
  title: LocalizedText | null;
  startedAt: Date;
  endedAt: Date | null;
  end: 'recovered' | 'unwatched' | 'resolved' | null;
  /** Newest first. */
  updates: { at: Date; stage: IncidentStage | 'resolved' | null; text: LocalizedText }[];
}

/** Lists the incidents of the history, newest first. */
export async function listIncidents(tx: Tx, limit: number): Promise<Incident[]> {
  const rows = await tx.query
    .selectFrom('status_incident')
    .selectAll()
    .where((eb) =>
      eb.or([
        eb('ended_at', 'is', null),
        eb('ended_at', '>', sql<Date>`now() - ${historyDays} * interval '1 day'`),
      ]),
    )
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  if (rows.length === 0) return [];
  const updates = await tx.query
    .selectFrom('status_incident_update')
    .selectAll()
    .where(
      'incident_id',
      'in',
      rows.map(({ id }) => id),
    )
    .orderBy('id', 'desc')
    .execute();
  const updatesOf = Map.groupBy(updates, ({ incident_id }) => incident_id);
  return rows.map((row) => ({
    id: row.id,
    source: row.source,
    component: row.component,
    impact: row.impact,
    title: row.title_en === null ? null : localizedText(row.title_en, row.title_zh_cn, row.title_vi),
    startedAt: row.started_at,
    endedAt: row.ended_at,
    end: row.end_reason,
    updates: (updatesOf.get(row.id) ?? []).map(({ at, stage, text_en, text_zh_cn, text_vi }) => ({
      at,
      stage,
      text: localizedText(text_en, text_zh_cn, text_vi),
    })),
  }));
}

function localizedText(en: string, chinese: string | null, vietnamese: string | null): LocalizedText {
  return { en, ...(chinese && { 'zh-cn': chinese }), ...(vietnamese && { vi: vietnamese }) };
}

/** Reads the impact of each open incident that the samples opened, by component. */
export async function readOpenBySamples(tx: Tx): Promise<Map<StatusComponent | null, IncidentImpact>> {
  const rows = await tx.query
    .selectFrom('status_incident')
    .select(['component', 'impact'])
    .where('source', '=', 'samples')
    .where('ended_at', 'is', null)
    .execute();
  return new Map(rows.map(({ component, impact }) => [component, impact]));
}

/** Opens an incident for a component, starting with the first bad sample since the last good one. */
export async function openBySamples(
  tx: Tx,
  component: StatusComponent,
  impact: IncidentImpact,
): Promise<void> {
  await sql`
    insert into status_incident (source, component, impact, started_at)
    select 'samples', ${component}, ${impact}, min(minute) from status_sample
    where component = ${component} and minute > coalesce((select max(minute) from status_sample
      where component = ${component} and state = 'operational'), '-infinity')`.execute(tx.query);
}

/** Raises the impact of the component's open incident. */
export async function worsenBySamples(
  tx: Tx,
  component: StatusComponent,
  impact: IncidentImpact,
): Promise<void> {
  await tx.query
    .updateTable('status_incident')
    .set({ impact })
    .where('source', '=', 'samples')
    .where('component', '=', component)
    .where('ended_at', 'is', null)
    .execute();
}

/** Closes the component's incident as of the first good sample after the last bad one. */
export async function closeBySamples(tx: Tx, component: StatusComponent): Promise<void> {
  await sql`
    update status_incident set end_reason = 'recovered', ended_at = (
      select min(minute) from status_sample where component = ${component} and minute > (
        select max(minute) from status_sample where component = ${component} and state <> 'operational'))
    where source = 'samples' and component = ${component} and ended_at is null`.execute(tx.query);
}

/** Closes incidents whose component has had no samples for an hour. */
export async function closeUnwatched(tx: Tx): Promise<void> {
  await sql`
    update status_incident i set end_reason = 'unwatched', ended_at = now()
    where source = 'samples' and ended_at is null and not exists (
      select from status_sample s where s.component = i.component and s.minute > now() - interval '1 hour')`.execute(
    tx.query,
  );
}

/** A new incident as the operator describes it. */
export interface NewIncident {
  impact: IncidentImpact;
  component: StatusComponent | null;
  title: LocalizedText;
}

export async function insertIncident(tx: Tx, { impact, component, title }: NewIncident): Promise<bigint> {
  const { id } = await tx.query
    .insertInto('status_incident')
    .values({
      source: 'operator',
      component,
      impact,
      title_en: title.en,
      title_zh_cn: title['zh-cn'] ?? null,
      title_vi: title.vi ?? null,
      started_at: sql<Date>`now()`,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Adds an update; returns false if there is no such incident. */
export async function insertUpdate(
  tx: Tx,
  incidentId: bigint,
  stage: IncidentStage | 'resolved' | null,
  text: LocalizedText,
): Promise<boolean> {
  const found = await tx.query
    .selectFrom('status_incident')
    .select('id')
    .where('id', '=', incidentId)
    .executeTakeFirst();
  if (!found) return false;
  await tx.query
    .insertInto('status_incident_update')
    .values({
      incident_id: incidentId,
      stage,
      text_en: text.en,
      text_zh_cn: text['zh-cn'] ?? null,
      text_vi: text.vi ?? null,
    })
    .execute();
  return true;
}

/** Resolves an open incident of the operator; returns false if there is none. */
export async function resolveIncident(tx: Tx, id: bigint): Promise<boolean> {
  const result = await tx.query
    .updateTable('status_incident')
    .set({ ended_at: sql<Date>`now()`, end_reason: 'resolved' })
    .where('id', '=', id)
    .where('source', '=', 'operator')
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}
