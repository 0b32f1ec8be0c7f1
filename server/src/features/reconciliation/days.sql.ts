import type { ChannelCode } from '@hengfu/contract/channels';
import type { Currency } from '@hengfu/contract/money';
import {
  type DayState,
  type StatementFault,
  type StatementFormat,
  unresolvedLimit,
} from '@hengfu/contract/staff/statement-days';
import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import type { DayKey } from './statements.sql.ts';

/** Days of the list, per channel. */
const daysListed = 62;

/** A day of the list. Of one without a statement, only the day is known. */
export interface ListedDay extends DayKey {
  currency: Currency;
  state: DayState;
  format: StatementFormat | null;
  fileName: string | null;
  fault: StatementFault | null;
  faultLine: number | null;
  lineCount: number;
  statementMinor: bigint | null;
  clearingMinor: bigint | null;
  unresolved: bigint;
  uploadedAt: Date | null;
  closedAt: Date | null;
}

/** Lists the latest days of each channel: its statements, and the days between them and yesterday that have none. */
export async function listDays(tx: Tx, channel: ChannelCode | undefined): Promise<ListedDay[]> {
  const { rows } = await sql<ListedDay>`
    with of_channel as (
      select channel, currency, max(zone) as zone, min(day) as first_day, max(day) as last_day from reconciliation_statement
      where ${channel ?? null}::text is null or channel = ${channel ?? null}
      group by channel, currency
    ), listed as (
      select c.channel, c.currency, d::date as day
      from of_channel c
      cross join lateral (select greatest(last_day, (now() at time zone zone)::date - 1) as last) until
      cross join lateral generate_series(greatest(first_day, until.last - ${daysListed}::integer), until.last, interval '1 day') d
    )
    select l.channel, l.currency, l.day::text as day, coalesce(s.state, 'missing') as state, s.format, s.file_name as "fileName", s.fault,
      s.fault_line as "faultLine", coalesce(s.line_count, 0) as "lineCount",
      case when s.state <> 'failed' then s.credit_minor - s.debit_minor end as "statementMinor",
      s.clearing_minor as "clearingMinor", u.count as unresolved, s.uploaded_at as "uploadedAt", s.closed_at as "closedAt"
    from listed l
    left join reconciliation_statement s on s.channel = l.channel and s.day = l.day
    cross join lateral (
      select count(*) from (
        select from reconciliation_difference d
        where d.statement_id = s.id and d.state in ('open', 'waiting') limit ${unresolvedLimit}) counted) u
    order by l.day desc, l.channel`.execute(tx.query);
  return rows;
}
