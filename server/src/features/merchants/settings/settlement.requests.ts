import { settlementCycles, weekdays } from '@hengfu/contract/staff/limits';
import * as z from 'zod';
import type { Database, MerchantTx } from '#db/database.ts';
import { fieldsOfActor, writeAudit } from '#domain/audit.sql.ts';
import type { ServiceActor } from '#domain/caller.ts';
import { Refusal } from '#domain/refusal.ts';
import { findChangeableMerchant } from '#domain/staff-merchants.sql.ts';
import type { StaffEffects, StaffRequests } from '#domain/staff-requests.sql.ts';
import { readSettlement, type Settlement, updateSettlement } from './settings.sql.ts';

export type { Settlement };

const storedSettlement = z.object({
  cycle: z.enum(settlementCycles),
  weekday: z.enum(weekdays).nullable(),
  cutOff: z.string(),
});
/** The change of a request: the cycle, and the one that both people have seen. */
const settlementChange = z.object({ settlement: storedSettlement, seen: storedSettlement });

/** When merchants settle, set with a second person. */
export class SettlementRequests {
  readonly #database: Database;
  readonly #requests: StaffRequests;

  constructor(database: Database, requests: StaffRequests) {
    this.#database = database;
    this.#requests = requests;
  }

  /**
   * Asks for another cycle, which counts from the merchant's next cut-off on; without a time, that of the cut-off stays. Returns the request's ID; undefined if it was set at once.
   * `shown`: the cycle that the person has seen. Throws `not_found`, `follows_live`, `conflict` if it is another one by now, and `request_waiting` while a
   * request for the same merchant waits.
   */
  async ask(
    code: string,
    by: ServiceActor,
    { cycle, weekday, cutOff }: Omit<Settlement, 'cutOff'> & { cutOff?: string | undefined },
    {
      reason,
      breakGlass,
      shown,
    }: { reason: string; breakGlass?: string | undefined; shown?: Settlement | undefined },
  ): Promise<bigint | undefined> {
    const { id: merchantId } = await this.#database.asSystem((tx) => findChangeableMerchant(tx, code));
    const seen = await this.#database.asMerchant(merchantId, readSettlement);
    if (shown && (codeOf(shown) !== codeOf(seen) || shown.cutOff !== seen.cutOff))
      throw new Refusal('conflict');
    const settlement: Settlement = { cycle, weekday, cutOff: cutOff ?? seen.cutOff };
    const question = {
      kind: 'settlementCycle',
      merchantId,
      subject: code,
      change: { settlement, seen },
      facts: [
        { name: 'settlementCycle', before: codeOf(seen), after: codeOf(settlement) },
        { name: 'cutOff', before: seen.cutOff, after: settlement.cutOff },
      ],
      reason,
    } as const;
    return this.#requests.ask(question, by, { breakGlass });
  }
}

/** Sets the cycle once a second person agrees, unless it has changed since. */
export const settlementCycleEffects: StaffEffects = {
  async perform(given, { change }, by) {
    const tx = given as MerchantTx;
    const { settlement, seen } = settlementChange.parse(change);
    if (!(await updateSettlement(tx, seen, settlement))) throw new Refusal('approval_changed');
    const recorded = (of: Settlement) => ({ settlementCycle: codeOf(of), cutOff: of.cutOff });
    await writeAudit(tx, {
      merchantId: tx.merchantId,
      ...fieldsOfActor(by),
      action: 'merchant.settlement',
      before: recorded(seen),
      after: recorded(settlement),
    });
  },
};

/** A cycle as facts and the audit trail name it: `daily`, `workdays`, `weekly-friday`. */
function codeOf({ cycle, weekday }: Settlement): string {
  return weekday === null ? cycle : `${cycle}-${weekday}`;
}
