import {
  type AuditAction,
  type AuditQuery,
  auditActionOf,
  type RecordedAction,
  recordedActions,
} from '@hengfu/contract/audit-log';
import { type RawBuilder, sql } from 'kysely';
import { termOf } from '#archive/audit-index.rules.ts';
import { type AuditSearch, archivedAudit } from '#archive/audit-parts.sql.ts';
import type { MerchantTx } from '#db/database.ts';
import { between, type ListSource } from '#domain/list-source.sql.ts';
import { rulePeople } from './rule-people.sql.ts';

/** An audit row, with the names of the people whom it names by ID. */
export interface AuditSqlRow {
  id: bigint;
  at: Date;
  actor: string;
  actor_name: string | null;
  actor_email: string | null;
  /** Codes of the roles that every merchant has, and names of the merchant's own. */
  roles: string[] | null;
  /** Names of the own roles that the row's values name by their codes. */
  own_names: Readonly<Record<string, string>> | null;
  /** Email addresses of the people whom approval rules in the row's values name, by their IDs. */
  rule_people: Readonly<Record<string, string>> | null;
  action: RecordedAction;
  subject: string | null;
  /** The email address of the person, or the name of the own role, that it is. */
  subject_name: string | null;
  before: Readonly<Record<string, unknown>> | null;
  after: Readonly<Record<string, unknown>> | null;
  address: string | null;
  user_agent: string | null;
  request_id: string | null;
}

/** The ID of the person that a text such as `user:5` names; null for other texts. */
const personIn = (column: 'actor' | 'subject') => {
  const text = sql.ref(`a.${column}`);
  return sql`case when ${text} ~ '^user:[0-9]{1,18}$' then substr(${text}, 6)::bigint end`;
};

/** Nearly all rows name no role of a merchant's own: theirs are not looked up. */
const heldRoles = sql`case when array_to_string(a.roles, ' ') ~ '\\mown_' then array(
  select coalesce(own.name, held.code) from unnest(a.roles) with ordinality as held (code, place)
    left join own_role own on own.merchant_id = a.merchant_id and own.code = held.code
  order by held.place) else a.roles end`;
const ownNames = sql`case when a.before ? 'roles' or a.after ? 'roles' then (
  select json_object_agg(own.code, own.name) from own_role own
  where own.merchant_id = a.merchant_id and (a.before -> 'roles' ? own.code or a.after -> 'roles' ? own.code)) end`;
const subjectRole = sql`case when a.subject like 'own\\_%' then (
  select own.name from own_role own where own.merchant_id = a.merchant_id and own.code = a.subject) end`;
const columns = sql`a.id, a.at, a.actor, who.name as actor_name, who.email as actor_email, ${heldRoles} as roles, a.action, a.subject,
  ${ownNames} as own_names, ${rulePeople('a', 'app_user')} as rule_people, coalesce(whom.email, ${subjectRole}) as subject_name, a.before, a.after, host(a.address) as address, a.user_agent, a.request_id`;
const withPeople = (rows: RawBuilder<unknown>) => sql`${rows} a
  left join app_user who on who.id = ${personIn('actor')}
  left join app_user whom on whom.id = ${personIn('subject')}`;
/** An action that a later version of the product wrote is not shown by this one. */
const isKnown = sql`a.action = any(${[...recordedActions]}::text[])`;

export type AuditFilters = Omit<AuditQuery, 'limit' | 'cursor'>;

/** The filters of a list, with the people that they name. */
interface FoundFilters {
  /** The person's actor; one that nobody has if there is no such person. */
  actor: string | undefined;
  /** The object by all its names. */
  subjects: readonly string[] | undefined;
}

async function findNamed(tx: MerchantTx, { person, subject }: AuditFilters): Promise<FoundFilters> {
  const actor = person === undefined ? undefined : `user:${(await findPerson(tx, person)) ?? 0n}`;
  return { actor, subjects: subject === undefined ? undefined : await namesOf(tx, subject) };
}

/** The source of the audit log's rows in the table, and the search for those in the archive. */
export interface AuditSource {
  source: ListSource;
  search: AuditSearch;
}

/** Builds the list source of the audit log. Its rows are in the order of their numbers, which is that of writing. */
export async function auditSource(tx: MerchantTx, query: AuditFilters): Promise<AuditSource> {
  const { actor, subjects } = await findNamed(tx, query);
  const { action, createdFrom: from, createdTo: to } = query;
  const isOneByOne = action !== undefined && action.length <= maxBranches;
  const source: ListSource = {
    columns,
    from: withPeople(sql`audit`),
    id: sql`a.id`,
    either: isOneByOne ? action.map(ofAction) : undefined,
    where: [
      sql`a.merchant_id = ${tx.merchantId}`,
      actionsAtOnce(action),
      actor === undefined ? undefined : sql`a.actor = ${actor} and a.actor like 'user:%'`,
      subjects && ofSubjects(subjects),
      between(sql`a.at`, from, to),
    ],
  };
  const terms = [
    isOneByOne && action.map((one) => termOf('action', recordedOf(one))),
    actor !== undefined && [termOf('actor', actor)],
    subjects?.map((subject) => termOf('subject', subject)),
  ];
  return { source, search: { from, to, terms: terms.filter((group) => Array.isArray(group)) } };
}

/** Rows of the archive, from the lines of their file, in place of those of the table. */
export const fromLines = (lines: readonly string[]) => withPeople(archivedAudit(lines));

const recordedAs = new Map(recordedActions.map((recorded) => [auditActionOf(recorded), recorded]));
const recordedOf = (action: AuditAction): string => recordedAs.get(action) ?? action;

/** Above this many actions, one condition for all of them is planned faster than a part for each. */
const maxBranches = 4;

/** The condition of the chosen actions, unless each has a part of its own. */
function actionsAtOnce(actions: readonly AuditAction[] | undefined) {
  if (!actions) return isKnown;
  if (actions.length <= maxBranches) return undefined;
  const recorded = actions.map(recordedOf);
  const known = sql`a.action = any(${recorded}::text[])`;
  return recorded.includes('payout.create') ? known : sql`${known} and a.action <> 'payout.create'`;
}

/** The names of an object: its number; of a person, the email address and the ID. */
async function namesOf(tx: MerchantTx, subject: string): Promise<string[]> {
  const person = subject.includes('@') ? await findPerson(tx, subject) : undefined;
  return person === undefined ? [subject] : [subject.toLowerCase(), `user:${person}`];
}

function ofSubjects([subject, ...more]: readonly string[]) {
  return more.length === 0
    ? sql`a.subject = ${subject}`
    : sql`a.subject = any(${[subject, ...more]}::text[])`;
}

/** Rows of one action. All but the most frequent one have an index, which this condition lets PostgreSQL use. */
function ofAction(action: AuditAction) {
  const recorded = recordedOf(action);
  const known = sql`a.action = ${recorded}`;
  return recorded === 'payout.create' ? known : sql`${known} and a.action <> 'payout.create'`;
}

async function findPerson(tx: MerchantTx, email: string): Promise<bigint | undefined> {
  const found = await tx.query
    .selectFrom('app_user')
    .select('id')
    .where('email', '=', email.normalize('NFKC').toLowerCase())
    .executeTakeFirst();
  return found?.id;
}

/** Finds one row of the audit log: in the table, or in lines of the archive. */
export async function findAudit(
  tx: MerchantTx,
  id: bigint,
  lines?: readonly string[],
): Promise<AuditSqlRow | undefined> {
  const { rows } = await sql<AuditSqlRow>`
    select ${columns} from ${lines ? fromLines(lines) : withPeople(sql`audit`)}
    where a.merchant_id = ${tx.merchantId} and a.id = ${id} and ${isKnown}`.execute(tx.query);
  return rows[0];
}
