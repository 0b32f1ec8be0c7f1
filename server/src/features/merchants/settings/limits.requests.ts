import type { AuditValues } from '@hengfu/contract/audit-fields';
import { type Currency, formatAmount } from '@hengfu/contract/money';
import { type LimitName, limitNames, type MerchantLimits } from '@hengfu/contract/staff/limits';
import type { RequestFact } from '@hengfu/contract/staff/requests';
import * as z from 'zod';
import type { Database, MerchantTx } from '#db/database.ts';
import { fieldsOfActor, writeAudit } from '#domain/audit.sql.ts';
import type { ServiceActor } from '#domain/caller.ts';
import { Refusal } from '#domain/refusal.ts';
import { findChangeableMerchant } from '#domain/staff-merchants.sql.ts';
import type { StaffEffects, StaffRequests } from '#domain/staff-requests.sql.ts';
import { type Limits, readLimits, updateLimits } from './settings.sql.ts';

export type { Limits };

const minor = z.string().transform(BigInt).nullable();
const storedLimits = z.object({
  payout: minor,
  payoutsOfDay: minor,
  withdrawalsOfDay: minor,
  collection: minor,
});
/** The change of a request: the limits, and those that both people have seen. */
const limitsChange = z.object({ limits: storedLimits, seen: storedLimits });

const factNames = {
  payout: 'payoutLimit',
  payoutsOfDay: 'payoutDayLimit',
  withdrawalsOfDay: 'withdrawalDayLimit',
  collection: 'collectionLimit',
} as const satisfies Record<LimitName, RequestFact['name']>;

/** The limits of merchants, set with a second person. */
export class MerchantLimitRequests {
  readonly #database: Database;
  readonly #requests: StaffRequests;

  constructor(database: Database, requests: StaffRequests) {
    this.#database = database;
    this.#requests = requests;
  }

  /**
   * Asks for other limits. Returns the request's ID; undefined if they were set at once. `toLimits` reads them in the merchant's currency, beside
   * those that apply now. `shown`: the limits that the person has seen.
   * Throws `not_found`, `follows_live`, `conflict` if other limits apply by now, `validation_failed`, and `request_waiting` while a request for the same
   * merchant waits.
   */
  async ask(
    code: string,
    by: ServiceActor,
    toLimits: (currency: Currency, seen: Limits) => Limits,
    {
      reason,
      breakGlass,
      shown,
    }: { reason: string; breakGlass?: string | undefined; shown?: MerchantLimits | undefined },
  ): Promise<bigint | undefined> {
    const { id: merchantId, currency } = await this.#database.asSystem((tx) =>
      findChangeableMerchant(tx, code),
    );
    const seen = await this.#database.asMerchant(merchantId, readLimits);
    const plain = (amountMinor: bigint | null) =>
      amountMinor === null ? null : formatAmount(amountMinor, currency);
    if (shown && limitNames.some((name) => shown[name] !== plain(seen[name]))) throw new Refusal('conflict');
    const limits = toLimits(currency, seen);
    const text = (amountMinor: bigint | null) =>
      amountMinor === null ? null : `${formatAmount(amountMinor, currency)} ${currency}`;
    const question = {
      kind: 'merchantLimits',
      merchantId,
      subject: code,
      change: { limits: toStored(limits), seen: toStored(seen) },
      facts: limitNames.map((name) => ({
        name: factNames[name],
        before: text(seen[name]),
        after: text(limits[name]),
      })),
      reason,
    } as const;
    return this.#requests.ask(question, by, { breakGlass });
  }
}

/** Sets the limits once a second person agrees, unless they have changed since. */
export const merchantLimitEffects: StaffEffects = {
  async perform(given, { change }, by) {
    const tx = given as MerchantTx;
    const { limits, seen } = limitsChange.parse(change);
    if (!(await updateLimits(tx, seen, limits))) throw new Refusal('approval_changed');
    await writeAudit(tx, {
      merchantId: tx.merchantId,
      ...fieldsOfActor(by),
      action: 'merchant.limits',
      before: recorded(seen),
      after: recorded(limits),
    });
  },
};

function toStored(limits: Limits): Record<LimitName, string | null> {
  const text = (amountMinor: bigint | null) => (amountMinor === null ? null : String(amountMinor));
  return {
    payout: text(limits.payout),
    payoutsOfDay: text(limits.payoutsOfDay),
    withdrawalsOfDay: text(limits.withdrawalsOfDay),
    collection: text(limits.collection),
  };
}

/** Limits as the audit trail keeps them. */
function recorded(limits: Limits): AuditValues {
  const { payout, payoutsOfDay, withdrawalsOfDay, collection } = toStored(limits);
  return {
    payoutLimitMinor: payout,
    payoutDayLimitMinor: payoutsOfDay,
    withdrawalDayLimitMinor: withdrawalsOfDay,
    collectionLimitMinor: collection,
  };
}
