import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import type { StatedBalances } from './parse/line-fields.rules.ts';
import { ofService, type Statement } from './statements.sql.ts';

/** Numbers that are looked up with one statement. */
const lookUpSize = 5000;

/** Whether a difference `d` of the statement is the found `f`; amounts and line numbers are never 0. */
const isSame = sql`f.reference = d.reference and coalesce(f.line_no, 0) = coalesce(d.line_no, 0)
  and coalesce(f.theirs, 0) = coalesce(d.theirs_minor, 0) and coalesce(f.ours, 0) = coalesce(d.ours_minor, 0)`;

/**
 * Compares the lines of a statement with what moved on the clearing accounts on its day, and keeps only the differences, with the decisions
 * about those that were there before. A line belongs to the movement of its number in its direction; of several such lines, one with the
 * right amount does, or the first. One statement for the whole day: PostgreSQL sorts and hashes in bounded memory.
 */
export async function matchDay(tx: Tx, of: Statement, stated?: StatedBalances): Promise<void> {
  // Nothing is known yet about the rows that were just loaded, and a nested loop over them would take hours.
  await sql`set local enable_nestloop = off`.execute(tx.query);
  await sql`
    with ours as materialized (
      select reference collate "C" as reference, merchant_id, subject_no, amount_minor
      from staff_clearing_day(${of.channel}, ${of.currency}, ${of.startsAt}, ${of.endsAt})
    ), pair as (
      select t.line_no, coalesce(t.reference, o.reference) as reference, t.amount_minor as theirs, o.amount_minor as ours,
        o.merchant_id, o.subject_no,
        row_number() over (
          partition by coalesce(t.reference, o.reference), coalesce(t.amount_minor, o.amount_minor) > 0,
            case when t.reference = '' then t.line_no end
          order by t.amount_minor = o.amount_minor desc nulls last, t.line_no) as place
      from (select line_no, reference, amount_minor from reconciliation_line where statement_id = ${of.id}) t
      full join ours o on o.reference = t.reference and (o.amount_minor > 0) = (t.amount_minor > 0)
    ), found as materialized (
      select line_no, reference, theirs, case when place = 1 then ours end as ours, merchant_id, subject_no,
        case when place > 1 then 'duplicate' when theirs is null then 'oursOnly' when ours is null then 'theirsOnly' else 'amount' end as kind
      from pair
      where place > 1 or theirs is distinct from ours
    ), gone as (
      delete from reconciliation_difference d
      where d.statement_id = ${of.id} and d.state <> 'adjusted' and not exists (select from found f where ${isSame})
    ), added as (
      insert into reconciliation_difference (statement_id, kind, reference, line_no, theirs_minor, ours_minor, order_merchant, order_no)
      select ${of.id}, kind, reference, line_no, theirs, ours, merchant_id, subject_no from found f
      where not exists (select from reconciliation_difference d where d.statement_id = ${of.id} and ${isSame})
      order by line_no, reference
    )
    update reconciliation_statement
    set state = 'open', clearing_minor = (select coalesce(sum(amount_minor), 0) from ours), matched_at = now(),
      opening_minor = coalesce(${stated?.openingMinor ?? null}::bigint, opening_minor),
      closing_minor = coalesce(${stated?.closingMinor ?? null}::bigint, closing_minor)
    where id = ${of.id}`.execute(tx.query);
  await sql`set local enable_nestloop = on`.execute(tx.query);
  await lookUpOtherDays(tx, of);
  await pairWithOtherDays(tx, of);
  await markRepeated(tx, of);
  tx.changed(ofService, 'reconciliation');
}

/** Sums what moved on the clearing accounts of all live merchants on the day of a statement, as the bank sees it. */
export async function clearingOf(tx: Tx, of: Statement): Promise<bigint> {
  const { rows } = await sql<{ sum: bigint }>`
    select coalesce(sum(amount_minor), 0)::bigint as sum
    from staff_clearing_day(${of.channel}, ${of.currency}, ${of.startsAt}, ${of.endsAt})`.execute(tx.query);
  return rows[0]?.sum ?? 0n;
}

/** Finds the lines that we have on another day, by their numbers. They wait until the statement of that day shows that it has none. */
async function lookUpOtherDays(tx: Tx, of: Statement): Promise<void> {
  let after = 0n;
  for (;;) {
    const { rows } = await sql<{ id: bigint; reference: string }>`
      select id, reference from reconciliation_difference
      where statement_id = ${of.id} and kind = 'theirsOnly' and state in ('open', 'waiting') and reference <> '' and id > ${after}
      order by id limit ${lookUpSize}`.execute(tx.query);
    const last = rows.at(-1);
    if (!last) return;
    after = last.id;
    const numbers = [...new Set(rows.map(({ reference }) => reference))];
    // Another amount on another day is still a line of theirs alone, but its order is known.
    await sql`
      update reconciliation_difference d
      set order_merchant = f.merchant_id, order_no = f.subject_no,
        other_day = (f.moved_at at time zone ${of.zone} - ${of.dayEnds}::time::interval)::date + (${of.dayEnds}::time <> '00:00')::integer,
        kind = case when f.amount_minor = d.theirs_minor then 'otherDay' else d.kind end,
        state = case when f.amount_minor = d.theirs_minor then 'waiting' else d.state end
      from staff_clearing_of(${of.channel}, ${of.currency}, ${numbers}::text[]) f
      where d.statement_id = ${of.id} and d.kind = 'theirsOnly' and d.id <= ${after}
        and d.reference = f.reference collate "C" and (d.theirs_minor > 0) = (f.amount_minor > 0)
        and not (f.moved_at >= ${of.startsAt} and f.moved_at < ${of.endsAt})`.execute(tx.query);
  }
}

/** Pairs what only one side has on this day with what only the other side has on another day, and explains both. */
async function pairWithOtherDays(tx: Tx, of: Statement): Promise<void> {
  await sql`
    with pair as (
      select distinct on (d.id) d.id, x.id as other_id, xs.day as other_day,
        coalesce(d.order_merchant, x.order_merchant) as order_merchant, coalesce(d.order_no, x.order_no) as order_no
      from reconciliation_difference d
      cross join lateral (
        -- By the index of numbers, whatever the planner expects.
        select * from reconciliation_difference x
        where x.reference = d.reference and x.statement_id <> d.statement_id
          and x.kind in ('oursOnly', 'theirsOnly', 'otherDay') and x.state <> 'adjusted'
          and coalesce(x.theirs_minor, x.ours_minor) = coalesce(d.theirs_minor, d.ours_minor)
          and (x.theirs_minor is null) = (d.ours_minor is null) and (x.ours_minor is null) = (d.theirs_minor is null)
        offset 0) x
      join reconciliation_statement xs on xs.id = x.statement_id and xs.channel = ${of.channel}
      where d.statement_id = ${of.id} and d.kind in ('oursOnly', 'theirsOnly', 'otherDay')
        and d.state in ('open', 'waiting') and d.reference <> ''
      order by d.id, abs(xs.day - ${of.day}::date), x.id
    ), half as (
      select id, other_day, order_merchant, order_no from pair
      union all select other_id, ${of.day}::date, order_merchant, order_no from pair
    )
    update reconciliation_difference d
    set kind = 'otherDay', state = 'explained', other_day = half.other_day, order_merchant = half.order_merchant,
      order_no = half.order_no, decided_by = null, decided_at = now()
    from half where d.id = half.id and d.state in ('open', 'waiting')`.execute(tx.query);
}

/** A line that we have on another day repeats one, once the statement of that day has been matched and has a line of its own. */
async function markRepeated(tx: Tx, of: Statement): Promise<void> {
  await sql`
    update reconciliation_difference d set kind = 'duplicate', state = 'open'
    from reconciliation_statement s
    join reconciliation_statement o on o.channel = s.channel and o.state in ('open', 'closed')
    where s.id = d.statement_id and s.channel = ${of.channel} and (s.id = ${of.id} or o.id = ${of.id})
      and d.kind = 'otherDay' and d.state = 'waiting' and d.theirs_minor is not null and d.other_day = o.day`.execute(
    tx.query,
  );
}

/** Whether an adjustment has been posted for a difference of a statement. */
export async function isAdjusted(tx: Tx, of: Statement): Promise<boolean> {
  const { rows } = await sql<object>`
    select from reconciliation_difference d where d.statement_id = ${of.id} and d.state = 'adjusted' limit 1`.execute(
    tx.query,
  );
  return rows.length > 0;
}

/** Whether the matching of a closed day depends on a statement. */
export async function isNeeded(tx: Tx, of: Statement): Promise<boolean> {
  const { rows } = await sql<object>`
    select from reconciliation_difference d
    join reconciliation_difference x on x.reference = d.reference and x.kind = 'otherDay' and x.other_day = ${of.day}::date
    join reconciliation_statement s on s.id = x.statement_id and s.channel = ${of.channel} and s.state = 'closed'
    where d.statement_id = ${of.id} and d.kind = 'otherDay'
    limit 1`.execute(tx.query);
  return rows.length > 0;
}

/** Removes the differences of a statement. Those of other days that were paired with them are open again. */
export async function deleteDifferences(tx: Tx, of: Statement): Promise<void> {
  await sql`
    update reconciliation_difference x
    set kind = case when x.theirs_minor is null then 'oursOnly' else 'otherDay' end,
      state = case when x.theirs_minor is null then 'open' else 'waiting' end,
      other_day = case when x.theirs_minor is not null then x.other_day end, decided_at = null
    from reconciliation_statement s
    where s.id = x.statement_id and s.channel = ${of.channel} and s.id <> ${of.id} and s.state = 'open'
      and x.other_day = ${of.day}::date and x.decided_by is null and x.kind in ('otherDay', 'duplicate')`.execute(
    tx.query,
  );
  await tx.query.deleteFrom('reconciliation_difference').where('statement_id', '=', of.id).execute();
}
