import { channelCatalogue } from '@hengfu/contract/channels';
import { type Currency, formatAmount, parseAmount } from '@hengfu/contract/money';
import { type ChannelTermsInput, percentOf, ppmOf } from '@hengfu/contract/staff/merchant-terms';
import type { RequestFact } from '@hengfu/contract/staff/requests';
import type { Database, MerchantTx } from '#db/database.ts';
import type { ServiceActor } from '#domain/caller.ts';
import { fieldRefusal, Refusal } from '#domain/refusal.ts';
import {
  findChangeableMerchant,
  findListedMerchant,
  type ListedMerchant,
} from '#domain/staff-merchants.sql.ts';
import type { StaffEffects, StaffRequests } from '#domain/staff-requests.sql.ts';
import { latestTerms, type NewTerms } from '../merchants.sql.ts';
import { readFacts } from '../office/merchant-office.sql.ts';
import { type FeesOfDay, feesYesterday } from './terms-preview.sql.ts';
import { writeTerms } from './write-terms.ts';

export type { FeesOfDay };

/** The change of a request: amounts in minor units, and when the terms that both people have seen took effect; null if there were none. */
type TermsChange = Pick<
  NewTerms,
  'channel' | 'collectionRatePpm' | 'payoutRatePpm' | 'refundFeeKept' | 'refundFromAvailable'
> & {
  collectionFixedMinor: string;
  payoutFixedMinor: string;
  seenFrom: string | null;
};

type Terms = Omit<NewTerms, 'channel'> & { channel: ChannelTermsInput['channel'] };

/** The fees of the first terms for a channel, as far as they are not named. */
export const firstFees = {
  collectionRatePpm: 6000,
  collectionFixedMinor: 0n,
  payoutRatePpm: 2000,
  payoutFixedMinor: 0n,
};

/** Terms for a channel of which each fee may be absent. */
type NamedTerms = Omit<Terms, keyof typeof firstFees | 'validFrom'> & {
  [Fee in keyof typeof firstFees]: (typeof firstFees)[Fee] | undefined;
};

/** The fees of merchants by channel: shown beforehand on yesterday's orders, and set with a second person. */
export class ChannelTermsService {
  readonly #database: Database;
  readonly #requests: StaffRequests;

  constructor(database: Database, requests: StaffRequests) {
    this.#database = database;
    this.#requests = requests;
  }

  /** Calculates the fees of yesterday's paid orders under other terms. Throws `not_found`, `validation_failed`. */
  async preview(
    code: string,
    input: ChannelTermsInput,
  ): Promise<{ day: string; currency: Currency; orders: FeesOfDay[] }> {
    const merchant = await this.#database.asSystem((tx) => findListedMerchant(tx, code));
    assertCurrency(input, merchant.currency);
    const terms = toTerms(input, merchant.currency);
    const fees = await this.#database.asMerchant(merchant.id, (tx) => previewOf(tx, terms), {
      snapshot: true,
    });
    return { ...fees, currency: merchant.currency };
  }

  /**
   * Asks for new fees. `seenFrom`: when the fees took effect that the person has seen. Returns the request's ID; undefined if they were set at once.
   * Throws `not_found`, `follows_live`, `conflict` if there are later fees by now, `validation_failed`, and `request_waiting` while a request for the same
   * merchant and channel waits.
   */
  async ask(
    code: string,
    by: ServiceActor,
    {
      reason,
      seenFrom,
      ...input
    }: ChannelTermsInput & { reason: string; seenFrom?: string | null | undefined },
  ): Promise<bigint | undefined> {
    const { currency } = await this.#database.asSystem((tx) => findChangeableMerchant(tx, code));
    // First: an amount may have decimal places that only the other currency allows.
    assertCurrency(input, currency);
    return (await this.askFor(code, by, toTerms(input, currency), { reason, seenFrom })).request;
  }

  /**
   * Like {@link ask}, with the fees in parts per million and minor units; absent ones stay as before. Returns the resulting terms as
   * well.
   */
  async askFor(
    code: string,
    by: ServiceActor,
    named: NamedTerms,
    {
      reason,
      breakGlass,
      seenFrom,
    }: { reason: string; breakGlass?: string | undefined; seenFrom?: string | null | undefined },
  ): Promise<{ request: bigint | undefined; terms: Terms }> {
    const merchant = await this.#database.asSystem((tx) => findChangeableMerchant(tx, code));
    assertCurrency(named, merchant.currency);
    const { earlier, terms, fees } = await this.#database.asMerchant(merchant.id, async (tx) => {
      const earlier = await latestTerms(tx, merchant.id, named.channel);
      const terms = completeTerms(named, earlier);
      return { earlier, terms, fees: await previewOf(tx, terms) };
    });
    const latestFrom = earlier?.validFrom?.toISOString() ?? null;
    if (seenFrom !== undefined && seenFrom !== latestFrom) throw new Refusal('conflict');
    const change: TermsChange = {
      ...terms,
      collectionFixedMinor: String(terms.collectionFixedMinor),
      payoutFixedMinor: String(terms.payoutFixedMinor),
      seenFrom: latestFrom,
    };
    const question = {
      kind: 'channelTerms',
      merchantId: merchant.id,
      subject: `${code} ${terms.channel}`,
      change,
      facts: factsOf(merchant, { earlier, terms, orders: fees.orders }),
      reason,
    } as const;
    return { request: await this.#requests.ask(question, by, { breakGlass }), terms };
  }
}

/** Sets the fees once a second person agrees, unless they have changed since. */
export const channelTermsEffects: StaffEffects = {
  async perform(given, { change }, by) {
    const tx = given as MerchantTx;
    const { seenFrom, ...terms } = change as TermsChange;
    // A request made under an earlier version was not checked.
    const { currency } = await readFacts(tx);
    assertCurrency({ channel: terms.channel as Terms['channel'] }, currency);
    const earlier = await latestTerms(tx, tx.merchantId, terms.channel);
    if ((earlier?.validFrom?.toISOString() ?? null) !== seenFrom) throw new Refusal('approval_changed');
    const set = {
      ...terms,
      collectionFixedMinor: BigInt(terms.collectionFixedMinor),
      payoutFixedMinor: BigInt(terms.payoutFixedMinor),
    };
    await writeTerms(tx, tx.merchantId, set, by);
  },
};

/** Refuses a channel of another currency than the merchant's account: no order of the merchant could ever take it. */
function assertCurrency({ channel }: Pick<Terms, 'channel'>, currency: Currency): void {
  const { currency: channelCurrency } = channelCatalogue[channel];
  if (channelCurrency !== currency)
    throw fieldRefusal('channel', 'validation.channelCurrency', { channelCurrency, currency });
}

/** Adds the fees that are not named: those of the terms before, or of first terms. */
function completeTerms(named: NamedTerms, earlier: NewTerms | undefined): Terms {
  const before = earlier ?? firstFees;
  return {
    ...named,
    collectionRatePpm: named.collectionRatePpm ?? before.collectionRatePpm,
    collectionFixedMinor: named.collectionFixedMinor ?? before.collectionFixedMinor,
    payoutRatePpm: named.payoutRatePpm ?? before.payoutRatePpm,
    payoutFixedMinor: named.payoutFixedMinor ?? before.payoutFixedMinor,
  };
}

async function previewOf(tx: MerchantTx, terms: Terms) {
  const { zone } = await readFacts(tx);
  return feesYesterday(tx, {
    channel: terms.channel,
    zone,
    collection: { ratePpm: terms.collectionRatePpm, fixedMinor: terms.collectionFixedMinor },
    payout: { ratePpm: terms.payoutRatePpm, fixedMinor: terms.payoutFixedMinor },
  });
}

function toTerms(input: ChannelTermsInput, currency: Currency): Terms {
  const fixed = (field: 'collectionFixed' | 'payoutFixed') => {
    const amountMinor = parseAmount(input[field], currency);
    if (amountMinor === undefined) throw fieldRefusal(field, 'validation.amount');
    return amountMinor;
  };
  return {
    channel: input.channel,
    collectionRatePpm: ppmOf(input.collectionRate),
    collectionFixedMinor: fixed('collectionFixed'),
    payoutRatePpm: ppmOf(input.payoutRate),
    payoutFixedMinor: fixed('payoutFixed'),
    ...(input.refundFee && { refundFeeKept: input.refundFee === 'kept' }),
    ...(input.refundFunds && { refundFromAvailable: input.refundFunds === 'available' }),
  };
}

function factsOf(
  { currency }: ListedMerchant,
  { earlier, terms, orders }: { earlier: NewTerms | undefined; terms: Terms; orders: readonly FeesOfDay[] },
): RequestFact[] {
  const money = (amountMinor: bigint) => `${formatAmount(amountMinor, currency)} ${currency}`;
  const fee = (ratePpm: number, fixedMinor: bigint) => `${percentOf(ratePpm)}% + ${money(fixedMinor)}`;
  const sum = (part: 'wasMinor' | 'wouldMinor') =>
    money(orders.reduce((total, fees) => total + fees[part], 0n));
  return [
    { name: 'channel', before: null, after: terms.channel },
    {
      name: 'collectionFee',
      before: earlier ? fee(earlier.collectionRatePpm, earlier.collectionFixedMinor) : null,
      after: fee(terms.collectionRatePpm, terms.collectionFixedMinor),
    },
    {
      name: 'payoutFee',
      before: earlier ? fee(earlier.payoutRatePpm, earlier.payoutFixedMinor) : null,
      after: fee(terms.payoutRatePpm, terms.payoutFixedMinor),
    },
    { name: 'feesYesterday', before: sum('wasMinor'), after: sum('wouldMinor') },
    ...refundFacts(earlier, terms),
  ];
}

/** The terms of refunds, as far as they change. */
function refundFacts(earlier: NewTerms | undefined, terms: Terms): RequestFact[] {
  const fee = (isKept = false) => (isKept ? 'kept' : 'returned');
  const funds = (mayTake = false) => (mayTake ? 'available' : 'unsettled');
  const {
    refundFeeKept: isKept = earlier?.refundFeeKept,
    refundFromAvailable: mayTake = earlier?.refundFromAvailable,
  } = terms;
  const facts = [
    { name: 'refundFee', before: fee(earlier?.refundFeeKept), after: fee(isKept) },
    { name: 'refundFunds', before: funds(earlier?.refundFromAvailable), after: funds(mayTake) },
  ] as const;
  return facts.filter(({ before, after }) => before !== after);
}
