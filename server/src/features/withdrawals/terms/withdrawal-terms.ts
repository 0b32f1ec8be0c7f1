import { formatAmount } from '@hengfu/contract/money';
import type { Database, MerchantTx } from '#db/database.ts';
import type { ServiceActor } from '#domain/caller.ts';
import { Refusal } from '#domain/refusal.ts';
import { findChangeableMerchant } from '#domain/staff-merchants.sql.ts';
import type { StaffEffects, StaffRequests } from '#domain/staff-requests.sql.ts';
import { latestWithdrawalTerms } from './latest-terms.sql.ts';
import { type WithdrawalTerms, writeWithdrawalTerms } from './write-terms.ts';

/** The first terms of a merchant, as far as they are not named. */
const firstTerms = { freePerDay: 0, minimumUsdtMinor: 10_000_000n };

/** Terms of which all but the fee may be absent. */
type NamedTerms = Pick<WithdrawalTerms, 'feeUsdtMinor'> & {
  [Term in keyof typeof firstTerms]: (typeof firstTerms)[Term] | undefined;
};

/** The change of a request: amounts in minor units of USDT, and when the terms that both people have seen took effect. */
interface TermsChange {
  feeUsdtMinor: string;
  freePerDay: number;
  minimumUsdtMinor: string;
  /** Null if there were none. */
  seenFrom: string | null;
}

/** Sets the terms on which merchants withdraw, with a second person. */
export class WithdrawalTermsRequests {
  readonly #database: Database;
  readonly #requests: StaffRequests;

  constructor(database: Database, requests: StaffRequests) {
    this.#database = database;
    this.#requests = requests;
  }

  /**
   * Asks for new terms; absent ones stay as before. `seenFrom`: when the terms took effect that the person has seen. Returns the request's ID; undefined
   * if they were set at once. Throws `not_found`, `follows_live`, `conflict` if there are later terms by now, and `request_waiting` while a request for the
   * same merchant waits.
   */
  async ask(
    code: string,
    by: ServiceActor,
    named: NamedTerms,
    {
      reason = '',
      breakGlass,
      seenFrom,
    }: { reason?: string; breakGlass?: string | undefined; seenFrom?: string | null | undefined },
  ): Promise<bigint | undefined> {
    const { id: merchantId } = await this.#database.asSystem((tx) => findChangeableMerchant(tx, code));
    const earlier = await this.#database.asMerchant(merchantId, latestWithdrawalTerms);
    const latestFrom = earlier?.validFrom.toISOString() ?? null;
    if (seenFrom !== undefined && seenFrom !== latestFrom) throw new Refusal('conflict');
    const { feeUsdtMinor } = named;
    const before = earlier ?? firstTerms;
    const freePerDay = named.freePerDay ?? before.freePerDay;
    const minimumUsdtMinor = named.minimumUsdtMinor ?? before.minimumUsdtMinor;
    const change: TermsChange = {
      feeUsdtMinor: String(feeUsdtMinor),
      freePerDay,
      minimumUsdtMinor: String(minimumUsdtMinor),
      seenFrom: latestFrom,
    };
    const usdt = (amountMinor: bigint) => formatAmount(amountMinor, 'USDT');
    const question = {
      kind: 'withdrawalTerms',
      merchantId,
      subject: code,
      change,
      facts: [
        {
          name: 'withdrawalFee',
          before: earlier ? usdt(earlier.feeUsdtMinor) : null,
          after: usdt(feeUsdtMinor),
        },
        {
          name: 'freePerDay',
          before: earlier ? String(earlier.freePerDay) : null,
          after: String(freePerDay),
        },
        {
          name: 'minimum',
          before: earlier ? usdt(earlier.minimumUsdtMinor) : null,
          after: usdt(minimumUsdtMinor),
        },
      ],
      reason,
    } as const;
    return this.#requests.ask(question, by, { breakGlass });
  }
}

/** Sets the terms once a second person agrees, unless they have changed since. */
export const withdrawalTermsEffects: StaffEffects = {
  async perform(given, { change }, by) {
    const tx = given as MerchantTx;
    const { seenFrom, feeUsdtMinor, freePerDay, minimumUsdtMinor } = change as TermsChange;
    const earlier = await latestWithdrawalTerms(tx);
    if ((earlier?.validFrom.toISOString() ?? null) !== seenFrom) throw new Refusal('approval_changed');
    const terms = {
      feeUsdtMinor: BigInt(feeUsdtMinor),
      freePerDay,
      minimumUsdtMinor: BigInt(minimumUsdtMinor),
    };
    await writeWithdrawalTerms(tx, terms, by);
  },
};
