import type { Tx } from '#db/database.ts';
import type { Person, RequestInfo } from './caller.ts';

/** Who did what to what. `actor` reads `user:<id>`, `key:<id>`, `operator:<name>`, `job:<task>` or `nobody`. */
export interface AuditRow {
  merchantId: bigint | null;
  actor: string;
  action: string;
  subject?: string;
  address?: string;
  requestId?: string;
  before?: object;
  after?: object;
}

/** Writes the trail of a change, in the transaction that makes it. */
export async function writeAudit(tx: Tx, row: AuditRow): Promise<void> {
  await tx.query
    .insertInto('audit')
    .values({
      merchant_id: row.merchantId,
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

/** Writes the trail of what a signed-in person does to themselves, in the transaction that does it. */
export async function auditOf(
  tx: Tx,
  { userId, home: { merchantId } }: Person,
  { address, id: requestId }: RequestInfo,
  action: string,
  change: { before?: object; after?: object } = {},
): Promise<void> {
  await writeAudit(tx, { merchantId, actor: `user:${userId}`, action, address, requestId, ...change });
}
