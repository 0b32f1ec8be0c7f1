import type { AuditValues } from '@hengfu/contract/audit-fields';
import type { RecordedAction } from '@hengfu/contract/audit-log';
import type { RoleCode } from '@hengfu/contract/permissions';
import { type SecurityAction, securityActions } from '@hengfu/contract/profile';
import type { serviceActions } from '@hengfu/contract/staff/audit-trail';
import type { StaffRole } from '@hengfu/contract/staff/permissions';
import type { Tx } from '#db/database.ts';
import type { MerchantActor, Person, RequestInfo, ServiceActor } from './caller.ts';

/** Actions that concern the service alone, which no merchant reads. */
type ServiceAction = (typeof serviceActions)[number];

/** One row of the audit trail. `actor` is `user:<id>`, `key:<id>`, `staff:<id>`, `operator:<name>`, `job:<task>` or `nobody`. */
export type AuditRow = AuditFields &
  (
    | { merchantId: bigint; action: RecordedAction }
    /** It concerns the service and no merchant. */
    | { merchantId: null; action: ServiceAction }
  );

interface AuditFields {
  actor: string;
  /** The roles that a person acted with. */
  roles?: readonly (RoleCode | StaffRole)[];
  userAgent?: string | undefined;
  subject?: string;
  address?: string;
  requestId?: string;
  before?: AuditValues;
  after?: AuditValues;
}

/** The merchant of rows and changes that concern the service alone: no merchant has this ID. */
export const ofService = 0n;

const maxUserAgentLength = 300;

/** Writes an audit row, in the transaction that makes the change. The person whose access it concerns can read it, too. */
export async function writeAudit(tx: Tx, row: AuditRow): Promise<void> {
  const event = accessEventOf(row);
  if (event) await tx.query.insertInto('access_event').values(event).execute();
  await tx.query
    .insertInto('audit')
    .values({
      merchant_id: row.merchantId ?? ofService,
      actor: row.actor,
      action: row.action,
      subject: row.subject ?? null,
      address: row.address ?? null,
      roles: row.roles ? [...row.roles] : null,
      user_agent: row.userAgent?.slice(0, maxUserAgentLength) ?? null,
      request_id: row.requestId ?? null,
      before: row.before ? JSON.stringify(row.before) : null,
      after: row.after ? JSON.stringify(row.after) : null,
    })
    .execute();
}

const ofPerson = /^user:(\d+)$/;

/** The event of a person's access that an audit row records; undefined if it records something else. */
function accessEventOf({ merchantId, actor, action: audited, subject, address }: AuditRow) {
  const action = audited.replace('.', '_') as SecurityAction;
  const [, userId] = ofPerson.exec(subject ?? '') ?? ofPerson.exec(actor) ?? [];
  if (merchantId === null || userId === undefined || !securityActions.includes(action)) return;
  // A colleague's address is none of the person's business.
  const isOwn = actor === `user:${userId}` || !ofPerson.test(actor);
  return {
    merchant_id: merchantId,
    user_id: BigInt(userId),
    action,
    address: isOwn ? (address ?? null) : null,
  };
}

/** Writes an audit row for an action of a signed-in person, in the transaction that performs it. */
export async function auditPerson(
  tx: Tx,
  { userId, roles, home: { merchantId } }: Person,
  { address, userAgent, id: requestId }: RequestInfo,
  action: RecordedAction,
  details: Pick<AuditFields, 'subject' | 'before' | 'after'> = {},
): Promise<void> {
  const actor = `user:${userId}`;
  await writeAudit(tx, { merchantId, actor, roles, action, address, userAgent, requestId, ...details });
}

/** Returns the fields of an audit row that say who acts for the service or a merchant, and from where. */
export function fieldsOfActor(
  by: ServiceActor | MerchantActor,
): Pick<AuditFields, 'actor' | 'roles' | 'address' | 'userAgent' | 'requestId'> {
  if (typeof by === 'string') return { actor: by };
  const { address, userAgent, id: requestId } = by.request;
  const who = 'member' in by ? by.member : by.caller;
  // A program names no browser.
  if (who.kind === 'program') return { actor: `key:${who.keyId}`, address, requestId };
  const actor = who.kind === 'staff' ? `staff:${who.staffId}` : `user:${who.userId}`;
  return { actor, roles: who.roles, address, userAgent, requestId };
}

/** Reads the roles of a person at a merchant, for an audit row of somebody who is not a signed-in caller yet. */
export async function rolesOf(tx: Tx, merchantId: bigint, userId: bigint): Promise<readonly RoleCode[]> {
  const found = await tx.query
    .selectFrom('membership')
    .select('roles')
    .where('merchant_id', '=', merchantId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return found?.roles ?? [];
}
