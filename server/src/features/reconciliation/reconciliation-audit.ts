import type { AuditValues } from '@hengfu/contract/audit-fields';
import type { Tx } from '#db/database.ts';
import { fieldsOfActor, writeAudit } from '#domain/audit.sql.ts';
import type { RequestInfo, StaffMember } from '#domain/caller.ts';
import type { DayKey } from './statements.sql.ts';

/** A member of our staff in a request. */
export interface Actor {
  member: StaffMember;
  request: RequestInfo;
}

/** The subject of audit rows about a day. */
export const subjectOf = ({ channel, day }: DayKey) => `${channel} ${day}`;

/** Audits a change of the reconciliation, which concerns the service alone. */
export function auditChange(
  tx: Tx,
  by: Actor,
  action: `reconciliation.${'map' | 'upload' | 'discard' | 'match' | 'close' | 'explain' | 'wait'}`,
  subject: string,
  change: { before?: AuditValues; after?: AuditValues },
): Promise<void> {
  return writeAudit(tx, { merchantId: null, ...fieldsOfActor(by), action, subject, ...change });
}
