import type { Database } from '#db/database.ts';
import { lockAccount } from '#domain/accounts.sql.ts';
import { rolesOf, writeAudit } from '#domain/audit.sql.ts';
import type { Person, RequestInfo } from '#domain/caller.ts';
import { Refusal } from '#domain/refusal.ts';
import { assertMayBegin } from '#domain/standing.sql.ts';
import { listWorkplaces, noteChosen, type WorkplaceRow } from '#domain/workplaces.sql.ts';
import { moveSession } from '#http/session-merchant.sql.ts';

/** The merchants that a person works for, and the one that a session works for. */
export class WorkplaceService {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Lists the merchants that a person works for, suspended ones too; the one chosen last comes first. */
  list({ userId }: Person): Promise<WorkplaceRow[]> {
    return this.#database.asSystem((tx) => listWorkplaces(tx, userId), { oneStatement: true });
  }

  /**
   * Makes a session work for another merchant of its person, under a new id. What the session has passed stays (a second factor
   * belongs to the person), except the password confirmation; its level then follows from what the new merchant requires. Returns
   * whether that level is complete; undefined if the session works for the merchant already. Throws `not_found`,
   * `merchant_suspended`; `forbidden` if the person is suspended there; `unauthenticated` if the session has ended meanwhile.
   */
  async choose(
    caller: Person,
    code: string,
    newSessionId: string,
    request: RequestInfo,
  ): Promise<{ isComplete: boolean } | undefined> {
    const { userId, isChosen, home, passed } = caller;
    const target = (await this.list(caller)).find((workplace) => workplace.code === code);
    if (!target) throw new Refusal('not_found');
    const { merchantId } = target;
    if (isChosen && merchantId === home.merchantId) return undefined;
    return this.#database.asSystemFor(merchantId, async (tx) => {
      // Holds the merchant's standing: neither it nor the membership can be suspended until the transaction ends.
      await assertMayBegin(tx, 'signIn');
      await lockAccount(tx, userId);
      const now = (await listWorkplaces(tx, userId)).find((workplace) => workplace.merchantId === merchantId);
      if (!now) throw new Refusal('not_found');
      if (now.isMemberSuspended) throw new Refusal('forbidden');
      if (!(await moveSession(tx, caller, { merchantId, newSessionId })))
        throw new Refusal('unauthenticated');
      await noteChosen(tx, userId, merchantId);
      const { address, userAgent, id: requestId } = request;
      const self = `user:${userId}`;
      const roles = await rolesOf(tx, merchantId, userId);
      const action = isChosen ? 'session.switch' : 'session.sign_in';
      const after = passed && { after: { secondFactor: passed.factor } };
      const trace = { address, userAgent, requestId };
      await writeAudit(tx, { merchantId, actor: self, roles, action, subject: self, ...trace, ...after });
      return { isComplete: passed !== null || !now.isFactorRequired };
    });
  }
}
