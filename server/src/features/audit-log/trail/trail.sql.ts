import type { Currency } from '@hengfu/contract/money';
import { ofService, type TrailQuery, trailPageRows } from '@hengfu/contract/staff/audit-trail';
import type { RequestFact } from '@hengfu/contract/staff/requests';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import { between } from '#domain/list-source.sql.ts';
import { rulePeople } from '../rule-people.sql.ts';

/** An entry of the audit trail, with the names of the merchant and the people whom it names by ID. */
export interface TrailSqlRow {
  id: bigint;
  at: Date;
  merchantId: bigint;
  merchantCode: string | null;
  merchantName: string | null;
  currency: Currency | null;
  action: string;
  actor: string;
  actorName: string | null;
  actorEmail: string | null;
  roles: string[] | null;
  subject: string | null;
  subjectName: string | null;
  before: Readonly<Record<string, unknown>> | null;
  after: Readonly<Record<string, unknown>> | null;
  address: string | null;
  userAgent: string | null;
  requestId: string | null;
  /** The facts of the request of our staff that the entry is about; null if it is about none. */
  facts: RequestFact[] | null;
  /** The member of our staff who made that request; null for others. */
  requesterName: string | null;
  requesterEmail: string | null;
  /** Code of the merchant whom a request concerns, or something that an operator did alone. */
  concernedCode: string | null;
  /** Email addresses of the people whom approval rules in the entry's values name, by their IDs. */
  rulePeople: Readonly<Record<string, string>> | null;
}

/** IDs that are read at first to fill a page of everything, and by how much further reads grow. */
const [firstWindow, windowGrowth] = [500n, 4n];

/** Reads a page of the trail, newest first, and one row more if there is one. Unknown names match nothing. */
export async function listTrail(tx: Tx, query: TrailQuery): Promise<TrailSqlRow[]> {
  const { actor } = query;
  if (actor === undefined) return listOf(tx, query, undefined);
  const actors = await actorsOf(tx, actor);
  const isOurs = (each: string) => !each.startsWith('user:');
  // Somebody may have an account at a merchant and one of our own. Each has an index of its own.
  const ours = await listOf(tx, query, actors.filter(isOurs));
  const theirs = await listOf(
    tx,
    query,
    actors.filter((each) => !isOurs(each)),
  );
  const newest = [...ours, ...theirs].toSorted((one, other) => Number(other.id - one.id));
  return newest.slice(0, trailPageRows + 1);
}

/** Reads a page of everything, or of what some actors did, who are all merchants' people, or all ours. */
async function listOf(
  tx: Tx,
  query: TrailQuery,
  actors: readonly string[] | undefined,
): Promise<TrailSqlRow[]> {
  if (actors?.length === 0) return [];
  const { merchant, action, subject, from, to, cursor } = query;
  const given = [
    actors && ofActors(actors),
    action !== undefined && ofAction(action),
    subject !== undefined && sql`a.subject = any(${await namesOf(tx, subject)}::text[])`,
    between(sql`a.at`, from, to),
  ].filter((each) => each !== undefined && each !== false);
  const before = cursor === undefined ? undefined : BigInt(cursor);
  if (merchant === undefined) {
    const isOfOurs = actors !== undefined && !actors[0]?.startsWith('user:');
    const isOneAction =
      action !== undefined && action !== 'payout.create' && !actors && subject === undefined;
    if (isOfOurs || isOneAction) return listAtOnce(tx, given, before);
    // Nearly all rows match: they are found by their numbers.
    const isMass = given.length === 0 || (given.length === 1 && action === 'payout.create');
    if (isMass) return listEverything(tx, given, before);
  }
  return listByMerchant(tx, { conditions: given, merchants: merchantsOf(merchant, subject), before });
}

/** The number of an order, which tells the few merchants that it can belong to. */
const orderNumber = /^[A-Z]\d{21}$/;

/** One merchant, the service, those that can have an order of the object's number, or all. */
function merchantsOf(code: string | undefined, subject: string | undefined): RawBuilder<unknown> {
  if (code === ofService) return sql`(select 0::bigint as id)`;
  if (code !== undefined) return sql`(select id from staff_merchant where code = ${code})`;
  const ofLane =
    subject !== undefined && orderNumber.test(subject)
      ? sql`where merchant_lane(id) = lane_of_number(${subject})`
      : sql``;
  return sql`(select 0::bigint as id union all select id from staff_merchant ${ofLane})`;
}

/** The actors that an email address or a name stands for. */
async function actorsOf(tx: Tx, actor: string): Promise<string[]> {
  if (!actor.includes('@')) return [actor];
  const email = actor.normalize('NFKC').toLowerCase();
  const { rows } = await sql<{ actor: string }>`
    select 'user:' || id as actor from staff_person where email = ${email}
    union all select 'staff:' || id from staff_user where email = ${email}`.execute(tx.query);
  return rows.map((row) => row.actor);
}

/** An object by all its names: of a person, the email address and the ID. */
async function namesOf(tx: Tx, subject: string): Promise<string[]> {
  return subject.includes('@') ? [subject.toLowerCase(), ...(await actorsOf(tx, subject))] : [subject];
}

/** Rows of some actors. Those of merchants' people have an index in each merchant, our own have one for all. */
function ofActors(actors: readonly string[]): RawBuilder<unknown> {
  const known = sql`a.actor = any(${[...actors]}::text[])`;
  return actors[0]?.startsWith('user:')
    ? sql`${known} and a.actor like 'user:%'`
    : sql`${known} and (a.actor like 'staff:%' or a.actor like 'operator:%')`;
}

/** Rows of one action. All but the most frequent one have an index, which this condition lets PostgreSQL use. */
function ofAction(action: string): RawBuilder<unknown> {
  const known = sql`a.action = ${action}`;
  return action === 'payout.create' ? known : sql`${known} and a.action <> 'payout.create'`;
}

/** Reads the newest rows by an index over all merchants: of our own actors, or of one action. */
function listAtOnce(
  tx: Tx,
  conditions: readonly RawBuilder<unknown>[],
  before: bigint | undefined,
): Promise<TrailSqlRow[]> {
  const rows = sql`
    select a.* from staff_audit a where ${allOf([...conditions, below(before)])}
    order by a.id desc limit ${trailPageRows + 1}`;
  return named(tx, rows);
}

/** The condition that continues after a page. */
function below(before: bigint | undefined): RawBuilder<unknown> {
  return before === undefined ? sql`true` : sql`a.id < ${before}`;
}

function allOf(conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql.join([...conditions], sql` and `);
}

/** Reads the newest rows of each merchant by its own indexes, then the newest of those. */
async function listByMerchant(
  tx: Tx,
  {
    conditions,
    merchants,
    before,
  }: {
    conditions: readonly RawBuilder<unknown>[];
    merchants: RawBuilder<unknown>;
    before: bigint | undefined;
  },
): Promise<TrailSqlRow[]> {
  const rows = sql`
    select f.* from ${merchants} m cross join lateral (
      select a.* from staff_audit a where ${allOf([sql`a.merchant_id = m.id`, ...conditions, below(before)])}
      order by a.id desc limit ${trailPageRows + 1}) f
    order by f.id desc limit ${trailPageRows + 1}`;
  return named(tx, rows);
}

/** Reads the newest rows of all in windows of their numbers, which grow until a page is full. */
async function listEverything(
  tx: Tx,
  conditions: readonly RawBuilder<unknown>[],
  before: bigint | undefined,
): Promise<TrailSqlRow[]> {
  let upTo = (before ?? (await readLastId(tx)) + 1n) - 1n;
  const found: TrailSqlRow[] = [];
  for (let width = firstWindow; upTo > 0n && found.length <= trailPageRows; width *= windowGrowth) {
    const rows = sql`
      select a.* from staff_audit a
      where ${allOf([sql`a.id > ${upTo - width} and a.id <= ${upTo}`, ...conditions])}
      order by a.id desc limit ${trailPageRows + 1}`;
    found.push(...(await named(tx, rows)));
    upTo -= width;
  }
  return found.slice(0, trailPageRows + 1);
}

/** Reads the highest number that a row may have by now; 0 before the first one. */
async function readLastId(tx: Tx): Promise<bigint> {
  const { rows } = await sql<{ id: bigint | null }>`
    select pg_sequence_last_value('audit_id_seq'::regclass) as id`.execute(tx.query);
  return rows[0]?.id ?? 0n;
}

/** The ID in a text such as `user:5`; null for other texts. */
const idIn = (text: RawBuilder<unknown>, kind: string) =>
  sql`case when ${text} ~ ${`^${kind}:[0-9]{1,18}$`} then split_part(${text}, ':', 2)::bigint end`;

/** Adds the names to a page of rows. */
async function named(tx: Tx, page: RawBuilder<unknown>): Promise<TrailSqlRow[]> {
  const [actor, subject] = [sql`p.actor`, sql`p.subject`];
  const { rows } = await sql<TrailSqlRow>`
    select p.id, p.at, p.merchant_id as "merchantId", m.code as "merchantCode", m.name as "merchantName",
      m.home_currency as currency, p.action, p.actor, coalesce(who.name, ours.name) as "actorName",
      coalesce(who.email, ours.email) as "actorEmail", p.roles, p.subject,
      coalesce(whom.email, colleague.email) as "subjectName", p.before, p.after, host(p.address) as address,
      p.user_agent as "userAgent", p.request_id as "requestId", asked.facts, requester.name as "requesterName",
      requester.email as "requesterEmail", concerned.code as "concernedCode",
      ${rulePeople('p', 'staff_person')} as "rulePeople"
    from (${page}) p
    left join staff_request asked on asked.id = case when p.action like 'staff_request.%' and p.after ->> 'request' ~ '^[0-9]{1,18}$'
      then (p.after ->> 'request')::bigint end
    left join staff_user requester on p.action like 'staff_request.%'
      and requester.id = ${idIn(sql`(p.after ->> 'requestedBy')`, 'staff')}
    left join staff_merchant concerned on p.action like 'staff_request.%'
      and concerned.id = case when p.after ->> 'merchant' ~ '^[0-9]{1,18}$' then (p.after ->> 'merchant')::bigint end
    left join staff_merchant m on m.id = p.merchant_id
    left join staff_person who on who.id = ${idIn(actor, 'user')}
    left join staff_user ours on ours.id = ${idIn(actor, 'staff')}
    left join staff_person whom on whom.id = ${idIn(subject, 'user')}
    left join staff_user colleague on colleague.id = ${idIn(subject, 'staff')}
    order by p.id desc`.execute(tx.query);
  return rows;
}
