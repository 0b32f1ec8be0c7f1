import type {
  Balance,
  BalanceEntry,
  Collection,
  EntryFilters,
  Filters,
  NewCollection,
  NewPayout,
  NewRefund,
  Payout,
  Refund,
  Settlement,
} from './names.ts';
import type { Options, RequestOptions } from './options.ts';
import { encode } from './signature.ts';
import { type Query, Transport } from './transport.ts';

const collections = '/openapi/v1/collections';
const payouts = '/openapi/v1/payouts';
const refunds = '/openapi/v1/refunds';

/** A client of the Open API for one access key. It keeps no state between calls: share one. */
export class Hengfu {
  readonly #transport: Transport;

  constructor(options: Options) {
    this.#transport = new Transport(options);
  }

  readonly collections = {
    /** Creates an order. The same `out_trade_no` with the same body returns the same order. */
    create: (order: NewCollection, options?: RequestOptions) =>
      this.#post<Collection>(collections, order, options),
    /** Finds an order by your number. */
    find: (outTradeNo: string, options?: RequestOptions) =>
      this.#get<Collection>(collections, { out_trade_no: outTradeNo }, options),
    /** Returns an order by our number. */
    get: (tradeNo: string, options?: RequestOptions) =>
      this.#get<Collection>(`${collections}/${encode(tradeNo)}`, {}, options),
    /** Cancels an unpaid order. */
    cancel: (tradeNo: string, options?: RequestOptions) =>
      this.#post<Collection>(`${collections}/${encode(tradeNo)}/cancel`, undefined, options),
    /** Refunds all that is left of an order. For a part, or to name the refund, use `refunds.create`. */
    refund: (tradeNo: string, options?: RequestOptions) =>
      this.#post<Collection>(`${collections}/${encode(tradeNo)}/refund`, undefined, options),
    /** Lists orders, newest first, page by page as you read on. */
    list: (filters: Filters<Collection['status']> = {}, options?: RequestOptions) =>
      this.list<Collection>(`${collections}/list`, { ...filters }, options),
  };

  readonly refunds = {
    /** Refunds an order or a part of it. The same `out_refund_no` with the same body returns the same refund. */
    create: (refund: NewRefund, options?: RequestOptions) => this.#post<Refund>(refunds, refund, options),
    /** Finds a refund by your number. */
    find: (outRefundNo: string, options?: RequestOptions) =>
      this.#get<Refund>(refunds, { out_refund_no: outRefundNo }, options),
    /** Returns a refund by our number. */
    get: (refundNo: string, options?: RequestOptions) =>
      this.#get<Refund>(`${refunds}/${encode(refundNo)}`, {}, options),
    /** Lists refunds, newest first. */
    list: (filters: Filters<Refund['status']> = {}, options?: RequestOptions) =>
      this.list<Refund>(`${refunds}/list`, { ...filters }, options),
  };

  readonly payouts = {
    /** Creates a payout. The same `out_trade_no` with the same body returns the same payout. */
    create: (payout: NewPayout, options?: RequestOptions) => this.#post<Payout>(payouts, payout, options),
    /** Finds a payout by your number. */
    find: (outTradeNo: string, options?: RequestOptions) =>
      this.#get<Payout>(payouts, { out_trade_no: outTradeNo }, options),
    /** Returns a payout by our number. */
    get: (tradeNo: string, options?: RequestOptions) =>
      this.#get<Payout>(`${payouts}/${encode(tradeNo)}`, {}, options),
    /** Lists payouts, newest first. */
    list: (filters: Filters<Payout['status']> = {}, options?: RequestOptions) =>
      this.list<Payout>(`${payouts}/list`, { ...filters }, options),
  };

  readonly settlements = {
    /** Lists settlements, newest first. */
    list: (filters: Filters<Settlement['status']> = {}, options?: RequestOptions) =>
      this.list<Settlement>('/openapi/v1/settlements/list', { ...filters }, options),
  };

  readonly balanceEntries = {
    /** Lists the changes of your available funds, newest first. */
    list: (filters: EntryFilters = {}, options?: RequestOptions) =>
      this.list<BalanceEntry>('/openapi/v1/balance/entries/list', { ...filters }, options),
  };

  /** Returns your funds. */
  balance(options?: RequestOptions): Promise<Balance> {
    return this.#get<Balance>('/openapi/v1/balance', {}, options);
  }

  /**
   * Reads any list of the Open API to its end, a page per call. Stop whenever you have enough.
   * @param path as in `/openapi/v1/collections/list`
   * @param filters those of the list; several values are sent separated by commas, and an empty list selects all
   */
  async *list<Item = Record<string, unknown>>(
    path: string,
    filters: Readonly<Record<string, string | number | readonly string[] | undefined>> = {},
    options?: RequestOptions,
  ): AsyncGenerator<Item, void, undefined> {
    const query = Object.fromEntries(
      Object.entries(filters)
        .filter(([, value]) => !Array.isArray(value) || value.length > 0)
        .map(([name, value]) => [name, Array.isArray(value) ? value.join(',') : value]),
    ) as Query;
    let cursor: string | undefined;
    do {
      const page = await this.#get<{ items: Item[]; next_cursor: string | null }>(
        path,
        { ...query, cursor },
        options,
      );
      yield* page.items;
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
  }

  #get<R>(path: string, query: Query, options: RequestOptions | undefined): Promise<R> {
    return this.#transport.send({ method: 'GET', path, query }, options) as Promise<R>;
  }

  #post<R>(path: string, body: object | undefined, options: RequestOptions | undefined): Promise<R> {
    return this.#transport.send({ method: 'POST', path, ...(body && { body }) }, options) as Promise<R>;
  }
}
