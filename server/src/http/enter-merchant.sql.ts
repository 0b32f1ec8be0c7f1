import type { MerchantTx } from '#db/database.ts';
import { lockAccount } from '#domain/accounts.sql.ts';
import { rolesOf, writeAudit } from '#domain/audit.sql.ts';
import type { Person, RequestInfo } from '#domain/caller.ts';
import { Refusal } from '#domain/refusal.ts';
import { assertMayBegin } from '#domain/standing.sql.ts';
import { noteChosen, readWorkplace, type WorkplaceRow } from '#domain/workplaces.sql.ts';
import { moveSession } from './session-merchant.sql.ts';

/** How a session comes to work for the merchant of a transaction. */
interface Entry {
  /** Test merchants are not offered first after the next sign-in. */
  isNoted: boolean;
  newSessionId: string;
}

/**
 * Makes a session work for the merchant of a transaction, another one of its person, under a new ID, and records it there. Throws
 * `not_found`, `merchant_suspended`; `forbidden` if the person is suspended there; `unauthenticated` if the session has ended meanwhile.
 */
export async function enterMerchant(
  tx: MerchantTx,
  caller: Person,
  { isNoted, newSessionId }: Entry,
  request: RequestInfo,
): Promise<WorkplaceRow> {
  const { merchantId } = tx;
  const { userId, isChosen, passed } = caller;
  // Holds the merchant's standing: neither it nor the membership can be suspended until the transaction ends.
  await assertMayBegin(tx, 'signIn');
  await lockAccount(tx, userId);
  const now = await readWorkplace(tx, userId, merchantId);
  if (!now) throw new Refusal('not_found');
  if (now.isMemberSuspended) throw new Refusal('forbidden');
  if (!(await moveSession(tx, caller, { merchantId, newSessionId }))) throw new Refusal('unauthenticated');
  if (isNoted) await noteChosen(tx, userId, merchantId);
  const { address, userAgent, id: requestId } = request;
  const self = `user:${userId}`;
  const roles = await rolesOf(tx, merchantId, userId);
  const action = isChosen ? 'session.switch' : 'session.sign_in';
  const after = passed && { after: { secondFactor: passed.factor } };
  const trace = { address, userAgent, requestId };
  await writeAudit(tx, { merchantId, actor: self, roles, action, subject: self, ...trace, ...after });
  return now;
}
