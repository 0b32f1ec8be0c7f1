import type { Database } from '#db/database.ts';
import type { Person, RequestInfo } from '#domain/caller.ts';
import { Refusal } from '#domain/refusal.ts';
import { listWorkplaces, type WorkplaceRow } from '#domain/workplaces.sql.ts';
import { enterMerchant } from '#http/enter-merchant.sql.ts';

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
    const { isChosen, home, passed } = caller;
    const target = (await this.list(caller)).find((workplace) => workplace.code === code);
    if (!target) throw new Refusal('not_found');
    const { merchantId } = target;
    if (isChosen && merchantId === home.merchantId) return undefined;
    const entered = await this.#database.asSystemFor(merchantId, (tx) =>
      enterMerchant(tx, caller, { isNoted: true, newSessionId }, request),
    );
    return { isComplete: passed !== null || !entered.isFactorRequired };
  }
}
