import type { ChannelCode } from '@hengfu/contract/channels';
import type { FeeTerms } from '@hengfu/contract/fees';
import type { PayoutFields } from '@hengfu/contract/payout-fields';
import type { PayoutQuery } from '@hengfu/contract/payouts';
import type { OpenPayoutQuery } from '@hengfu/contract/payouts.open';
import type { ArchiveReader } from '#archive/archive-reader.ts';
import type { Database, MerchantTx } from '#db/database.ts';
import type { Snapshots } from '#db/snapshots.ts';
import type { Home } from '#domain/caller.ts';
import { isIfsc } from '#domain/ifsc.ts';
import type { OnwardPage, Page } from '#domain/list.sql.ts';
import { Refusal } from '#domain/refusal.ts';
import { type PayoutEvents, readPayoutHistory } from './cases/payout-history.ts';
import { accountKey } from './payouts.rules.ts';
import { findPayout, type Payout } from './payouts.sql.ts';
import { listOpenPayouts, listPayouts } from './payouts-list.sql.ts';
import {
  findOpenTerms,
  listOpenChannels,
  listPayees,
  type OrderFacts,
  readActorName,
  readOrderFacts,
  readPayeeHistory,
} from './payouts-lookup.sql.ts';

/** A payout with everything that happened to it. */
export interface PayoutHistory extends PayoutEvents {
  createdBy: string;
}

const shownPayees = 10;

/** Reads payouts and what belongs to them; changes nothing. */
export class PayoutReading {
  readonly #database: Database;
  readonly #snapshots: Snapshots;
  readonly #archive: ArchiveReader;

  constructor(database: Database, snapshots: Snapshots, archive: ArchiveReader) {
    this.#database = database;
    this.#snapshots = snapshots;
    this.#archive = archive;
  }

  /** Returns a key for the account that an order goes to, the same however it was typed. */
  accountKey(order: PayoutFields): string {
    return accountKey(order);
  }

  list(home: Home, query: PayoutQuery): Promise<Page<Payout>> {
    return this.#snapshots.ofList(home.merchantId, query.createdTo ?? query.paidTo, (tx) =>
      listPayouts(tx, home, query),
    );
  }

  openList(home: Home, query: OpenPayoutQuery): Promise<OnwardPage<Payout>> {
    return this.#snapshots.ofList(home.merchantId, query.created_to, (tx) =>
      listOpenPayouts(tx, home, query),
    );
  }

  /** Finds a payout. Throws `not_found`, also for another merchant's payout. */
  async find(merchantId: bigint, by: { tradeNo: string } | { outTradeNo: string }): Promise<Payout> {
    const order = await this.#database.asMerchant(merchantId, (tx) => findPayout(tx, by), {
      oneStatement: true,
    });
    if (!order) throw new Refusal('not_found');
    return order;
  }

  /** Reads a payout with its timeline and its creator's name. Throws `not_found`. */
  async history(merchantId: bigint, tradeNo: string): Promise<PayoutHistory> {
    const { also, ...history } = await readPayoutHistory(
      { database: this.#database, archive: this.#archive },
      { merchantId, tradeNo },
      (tx, order) => readActorName(tx, merchantId, order.createdBy),
    );
    return { ...history, createdBy: also };
  }

  channels({ merchantId, currency }: Home): Promise<(FeeTerms & { code: ChannelCode })[]> {
    return this.#database.asMerchant(merchantId, (tx) => listOpenChannels(tx, currency), {
      oneStatement: true,
    });
  }

  payees({ merchantId }: Home, channel: ChannelCode, search: string): Promise<Payout[]> {
    return this.#database.asMerchant(merchantId, (tx) => listPayees(tx, channel, search, shownPayees), {
      oneStatement: true,
    });
  }

  /** Returns the current fees; undefined if the merchant may not pay out through the channel. */
  terms(tx: MerchantTx, { currency }: Home, channel: ChannelCode): Promise<FeeTerms | undefined> {
    return findOpenTerms(tx, channel, currency);
  }

  /** Checks orders before they are made, in their order; `isBranchKnown` is false for a wrong IFSC. */
  async checkOrders(
    tx: MerchantTx,
    orders: readonly { order: PayoutFields; amountMinor: bigint; outTradeNo: string | null }[],
  ): Promise<(OrderFacts & { accountKey: string; isBranchKnown: boolean })[]> {
    const toCheck = orders.map(({ order, ...more }) => ({
      accountKey: accountKey(order),
      payee: order.payee,
      ...more,
      isBranchKnown: order.ifsc === undefined || isIfsc(order.ifsc),
    }));
    const known = await readOrderFacts(tx, toCheck);
    return known.map((each, index) => {
      const { accountKey = '', isBranchKnown = false } = toCheck[index] ?? {};
      return { ...each, accountKey, isBranchKnown };
    });
  }

  checkPayee({ merchantId }: Home, order: PayoutFields) {
    return this.#database.asMerchant(
      merchantId,
      (tx) => readPayeeHistory(tx, accountKey(order), order.payee),
      { oneStatement: true },
    );
  }
}
