import type { Database, MerchantTx } from '#db/database.ts';
import type { ServiceActor } from '#domain/caller.ts';
import { Refusal } from '#domain/refusal.ts';
import { findListedMerchant } from '#domain/staff-merchants.sql.ts';
import type { StaffEffects, StaffRequests } from '#domain/staff-requests.sql.ts';
import { lockStanding } from '#domain/standing.sql.ts';
import { isTestMerchant } from '#domain/twins.sql.ts';
import { changeMerchant, type ScheduleHeld } from './suspension.service.ts';
import { readSuspension } from './suspension.sql.ts';

/** The change of a request: which suspension is to end, and why. */
interface Reactivation {
  suspendedAt: string;
  reason: string;
}

/** Ends suspensions of merchants with a second person: held payouts are then sent. */
export class MerchantReactivation {
  readonly #database: Database;
  readonly #requests: StaffRequests;

  constructor(database: Database, requests: StaffRequests) {
    this.#database = database;
    this.#requests = requests;
  }

  /**
   * Asks for the end of a suspension. Returns the request's ID; undefined if it was done at once. Throws `not_found`, `conflict` if the
   * merchant is not suspended, `follows_live` for a test merchant, and `request_waiting`.
   */
  async ask(
    code: string,
    by: ServiceActor,
    reason: string,
    options: { breakGlass?: string | undefined } = {},
  ): Promise<bigint | undefined> {
    const { id: merchantId } = await this.#database.asSystem((tx) => findListedMerchant(tx, code));
    const [suspension, isTest] = await this.#database.asMerchant(
      merchantId,
      async (tx) => [await readSuspension(tx), await isTestMerchant(tx)] as const,
    );
    if (isTest) throw new Refusal('follows_live');
    if (!suspension) throw new Refusal('conflict');
    const change: Reactivation = { suspendedAt: suspension.at.toISOString(), reason };
    const question = {
      kind: 'merchantReactivation',
      merchantId,
      subject: code,
      change,
      facts: [{ name: 'suspension', before: suspension.reason, after: null }],
      reason,
    } as const;
    return this.#requests.ask(question, by, options);
  }
}

/** Reactivates a merchant once a second person agrees, if the suspension is still the same. */
export function reactivationEffects(onReactivated: readonly ScheduleHeld[]): StaffEffects {
  return {
    async perform(given, { change }, actor) {
      const tx = given as MerchantTx;
      const { suspendedAt, reason } = change as Reactivation;
      await lockStanding(tx, tx.merchantId);
      const suspension = await readSuspension(tx);
      if (suspension?.at.toISOString() !== suspendedAt) throw new Refusal('approval_changed');
      await changeMerchant(tx, { actor, isSuspended: false, reason, onReactivated });
    },
  };
}
