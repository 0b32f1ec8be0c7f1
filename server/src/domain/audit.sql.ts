import { type SecurityAction, securityActions } from '@hengfu/contract/profile';
import type { Tx } from '#db/database.ts';
import type { Person, RequestInfo } from './caller.ts';

/** One row of the audit trail. `actor` is `user:<id>`, `key:<id>`, `operator:<name>`, `job:<task>` or `nobody`. */
export interface AuditRow {
  /** Null if it concerns the service and no merchant. */
  merchantId: bigint | null;
  actor: string;
  action: string;
  subject?: string;
  address?: string;
  requestId?: string;
  before?: object;
  after?: object;
}

/** The merchant of rows that concern the service alone: no merchant has this ID. */
const ofService = 0n;

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
  return { merchant_id: merchantId, user_id: BigInt(userId), action, address: address ?? null };
}

/** Writes an audit row for an action of a signed-in person, in the transaction that performs it. */
export async function auditPerson(
  tx: Tx,
  { userId, home: { merchantId } }: Person,
  { address, id: requestId }: RequestInfo,
  action: string,
  details: Pick<AuditRow, 'subject' | 'before' | 'after'> = {},
): Promise<void> {
  await writeAudit(tx, { merchantId, actor: `user:${userId}`, action, address, requestId, ...details });
}
