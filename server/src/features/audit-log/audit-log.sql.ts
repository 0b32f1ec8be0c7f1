import {
  type AuditAction,
  type AuditQuery,
  auditActionOf,
  type RecordedAction,
  recordedActions,
} from '@hengfu/contract/audit-log';
import type { Role } from '@hengfu/contract/permissions';
import { sql } from 'kysely';
import type { MerchantTx } from '#db/database.ts';
import { type Page, readPage } from '#domain/list.sql.ts';
import { between, type ListSource } from '#domain/list-source.sql.ts';

/** An audit row, with the names of the people whom it names by ID. */
export interface AuditSqlRow {
  id: bigint;
  at: Date;
  actor: string;
  actor_name: string | null;
  actor_email: string | null;
  roles: Role[] | null;
  action: RecordedAction;
  subject: string | null;
  subject_email: string | null;
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

const columns = sql`a.id, a.at, a.actor, who.name as actor_name, who.email as actor_email, a.roles, a.action, a.subject,
  whom.email as subject_email, a.before, a.after, host(a.address) as address, a.user_agent, a.request_id`;
const from = sql`audit a
  left join app_user who on who.id = ${personIn('actor')}
  left join app_user whom on whom.id = ${personIn('subject')}`;
/** An action that a later version of the product wrote is not shown by this one. */
const isKnown = sql`a.action = any(${[...recordedActions]}::text[])`;

/** Builds the list source of the audit log. Its rows are in the order of their numbers, which is that of writing. */
export async function auditSource(
  tx: MerchantTx,
  query: Omit<AuditQuery, 'limit' | 'cursor'>,
): Promise<ListSource> {
  const person = query.person === undefined ? undefined : await findPerson(tx, query.person);
  return {
    columns,
    from,
    id: sql`a.id`,
    either: query.action && query.action.length <= maxBranches ? query.action.map(ofAction) : undefined,
    where: [
      sql`a.merchant_id = ${tx.merchantId}`,
      actionsAtOnce(query.action),
      query.person === undefined
        ? undefined
        : sql`a.actor = ${`user:${person ?? 0n}`} and a.actor like 'user:%'`,
      query.subject === undefined ? undefined : await ofSubject(tx, query.subject),
      between(sql`a.at`, query.createdFrom, query.createdTo),
    ],
  };
}

const recordedAs = new Map(recordedActions.map((recorded) => [auditActionOf(recorded), recorded]));

/** Above this many actions, one condition for all of them is planned faster than a part for each. */
const maxBranches = 4;

/** The condition of the chosen actions, unless each has a part of its own. */
function actionsAtOnce(actions: readonly AuditAction[] | undefined) {
  if (!actions) return isKnown;
  if (actions.length <= maxBranches) return undefined;
  const recorded = actions.map((action) => recordedAs.get(action) ?? action);
  const known = sql`a.action = any(${recorded}::text[])`;
  return recorded.includes('payout.create') ? known : sql`${known} and a.action <> 'payout.create'`;
}

/** Rows about an object, by its number; about a person, by the email address. */
async function ofSubject(tx: MerchantTx, subject: string) {
  const person = subject.includes('@') ? await findPerson(tx, subject) : undefined;
  if (person === undefined) return sql`a.subject = ${subject}`;
  return sql`a.subject = any(${[subject.toLowerCase(), `user:${person}`]}::text[])`;
}

/** Rows of one action. All but the most frequent one have an index, which this condition lets PostgreSQL use. */
function ofAction(action: AuditAction) {
  const recorded = recordedAs.get(action) ?? action;
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

/** A page of the audit log; `archivedBefore` is when the rows of the table begin, if older ones are in the archive. */
export type AuditPage = Page<AuditSqlRow> & { archivedBefore: Date | undefined };

/** Reads a page of the audit log. */
export async function listAudit(tx: MerchantTx, query: AuditQuery): Promise<AuditPage> {
  const page = await readPage<AuditSqlRow>(tx, await auditSource(tx, query), query);
  const { rows } = await sql<{ until: Date | null }>`
    select max((p.month + interval '1 month') at time zone 'UTC') as until
    from archived_part p join archived_month m on m.table_name = p.table_name and m.month = p.month
    where p.merchant_id = ${tx.merchantId} and p.table_name = 'audit' and m.archived_at is not null`.execute(
    tx.query,
  );
  const until = rows[0]?.until;
  const isReached = until && !(query.createdFrom && new Date(query.createdFrom) >= until);
  return { ...page, archivedBefore: isReached ? until : undefined };
}

/** Finds one row of the audit log. */
export async function findAudit(tx: MerchantTx, id: bigint): Promise<AuditSqlRow | undefined> {
  const { rows } = await sql<AuditSqlRow>`
    select ${columns} from ${from} where a.merchant_id = ${tx.merchantId} and a.id = ${id} and ${isKnown}`.execute(
    tx.query,
  );
  return rows[0];
}
