import type { Language } from '@hengfu/contract/session';
import {
  historyDays,
  type IncidentImpact,
  type IncidentStage,
  type StatusComponent,
} from '@hengfu/contract/status';
import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';

/** The operator's words: English, and the languages that were given besides. */
export type Words = { en: string } & Partial<Record<Language, string>>;

/** An incident with everything that was said of it. */
export interface Incident {
  id: bigint;
  source: 'samples' | 'operator';
  component: StatusComponent | null;
  impact: IncidentImpact;
  title: Words | null;
  startedAt: Date;
  endedAt: Date | null;
  end: 'recovered' | 'unwatched' | 'resolved' | null;
  /** Newest first. */
  updates: { at: Date; stage: IncidentStage | 'resolved' | null; text: Words }[];
}

/** Incidents of the history, newest first. */
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
    title: row.title_en === null ? null : wordsOf(row.title_en, row.title_zh_cn, row.title_vi),
    startedAt: row.started_at,
    endedAt: row.ended_at,
    end: row.end_reason,
    updates: (updatesOf.get(row.id) ?? []).map(({ at, stage, text_en, text_zh_cn, text_vi }) => ({
      at,
      stage,
      text: wordsOf(text_en, text_zh_cn, text_vi),
    })),
  }));
}

function wordsOf(en: string, chinese: string | null, vietnamese: string | null): Words {
  return { en, ...(chinese && { 'zh-cn': chinese }), ...(vietnamese && { vi: vietnamese }) };
}

/** How bad the incident is that the samples hold open for each component. */
export async function readOpenBySamples(tx: Tx): Promise<Map<StatusComponent | null, IncidentImpact>> {
  const rows = await tx.query
    .selectFrom('status_incident')
    .select(['component', 'impact'])
    .where('source', '=', 'samples')
    .where('ended_at', 'is', null)
    .execute();
  return new Map(rows.map(({ component, impact }) => [component, impact]));
}

/** Opens an incident for a component, from the first sample on that was not good. */
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

/** It is worse than was said. */
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

/** Closes it, with the first good sample after the last bad one. */
export async function closeBySamples(tx: Tx, component: StatusComponent): Promise<void> {
  await sql`
    update status_incident set end_reason = 'recovered', ended_at = (
      select min(minute) from status_sample where component = ${component} and minute > (
        select max(minute) from status_sample where component = ${component} and state <> 'operational'))
    where source = 'samples' and component = ${component} and ended_at is null`.execute(tx.query);
}

/** Closes what there was nothing to judge by for an hour. */
export async function closeUnwatched(tx: Tx): Promise<void> {
  await sql`
    update status_incident i set end_reason = 'unwatched', ended_at = now()
    where source = 'samples' and ended_at is null and not exists (
      select from status_sample s where s.component = i.component and s.minute > now() - interval '1 hour')`.execute(
    tx.query,
  );
}

/** What the operator says of an incident when it opens. */
export interface NewIncident {
  impact: IncidentImpact;
  component: StatusComponent | null;
  title: Words;
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

/** Adds to what was said; false where there is no such incident. */
export async function insertUpdate(
  tx: Tx,
  incidentId: bigint,
  stage: IncidentStage | 'resolved' | null,
  text: Words,
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

/** Ends an open incident of the operator's; false where there is none. */
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
