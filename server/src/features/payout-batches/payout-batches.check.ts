import type { ChannelCode } from '@hengfu/contract/channels';
import type { FeeTerms } from '@hengfu/contract/fees';
import type { BatchOrder, BatchRow } from '@hengfu/contract/payout-batch-rows';
import { type BatchCheck, maxBatchFaults } from '@hengfu/contract/payout-batches';
import type { PayoutStatus } from '@hengfu/contract/payouts';
import { parseRate, usdtFor } from '@hengfu/contract/rates';
import type { Database, MerchantTx } from '#db/database.ts';
import type { Home } from '#domain/caller.ts';
import { Refusal } from '#domain/refusal.ts';
import { balances } from '#ledger/ledger.ts';
import { runBatchCheck } from './batch-check-queue.ts';
import { type ReadRow, type RowFault, repeatsIn, sumsOf } from './payout-batches.rules.ts';
import { findRepeated, readUsdtRate } from './payout-batches.sql.ts';
import { readRows } from './read-rows.ts';

/** Facts about an order before it becomes a payout. */
interface OrderFacts {
  accountKey: string;
  isBranchKnown: boolean;
  isNumberUsed: boolean;
  isNewAccount: boolean;
  isChangedAccount: boolean;
  similar: { tradeNo: string; status: PayoutStatus } | null;
}

/** The part of the payouts feature that batches use. */
export interface Payouts {
  /** Returns the current fees; undefined if the merchant may not pay out through the channel. */
  terms(tx: MerchantTx, home: Home, channel: ChannelCode): Promise<FeeTerms | undefined>;
  /** Returns a key for the account that an order goes to, the same however it was typed. */
  accountKey(order: BatchOrder): string;
  /** Checks orders before they are made; returns one result each, in their order. */
  checkOrders(
    tx: MerchantTx,
    orders: readonly { order: BatchOrder; amountMinor: bigint; outTradeNo: string | null }[],
  ): Promise<OrderFacts[]>;
}

const rowsPerQuery = 500;

type Found = Pick<BatchCheck, 'faults' | 'similar' | 'newAccounts' | 'changedAccounts'>;

/** Everything that a person should know about the rows before submitting them. */
export interface BatchFindings extends Found, ReturnType<typeof sumsOf> {
  home: Home;
  count: number;
  faultCount: number;
  availableMinor: bigint;
  shortUsdtMinor: bigint | undefined;
  repeated: { batchNo: string; createdAt: Date } | undefined;
}

/** Checks the rows of a batch before it is submitted. */
export class BatchChecker {
  readonly #database: Database;
  readonly #payouts: Payouts;

  constructor(database: Database, payouts: Payouts) {
    this.#database = database;
    this.#payouts = payouts;
  }

  /** Throws `channel_closed`, `too_many_requests`. */
  async check(home: Home, channel: ChannelCode, rows: readonly BatchRow[]): Promise<BatchFindings> {
    const { read, faults, contentHash } = await readRows(channel, home.currency, rows);
    return runBatchCheck(home.merchantId, () =>
      this.#checkRows(home, channel, rows.length, { read, faults, contentHash }),
    );
  }

  async #checkRows(
    home: Home,
    channel: ChannelCode,
    count: number,
    { read, faults, contentHash }: Awaited<ReturnType<typeof readRows>>,
  ): Promise<BatchFindings> {
    return this.#database.asMerchant(home.merchantId, async (tx) => {
      const terms = await this.#payouts.terms(tx, home, channel);
      if (!terms) throw new Refusal('channel_closed');
      const { available: availableMinor } = await balances(tx, home.currency);
      const sums = sumsOf(read, terms, availableMinor);
      const rate = parseRate((await readUsdtRate(tx, home.currency)) ?? '');
      const isShort = sums.shortMinor > 0n && rate !== undefined;
      const found = compareRows(read, await this.#checkOrders(tx, read));
      return {
        ...found,
        ...sums,
        home,
        count,
        availableMinor,
        faults: [...found.faults, ...faults].slice(0, maxBatchFaults),
        faultCount: found.faults.length + faults.length,
        shortUsdtMinor: isShort ? usdtFor(sums.shortMinor, rate, home.currency) : undefined,
        repeated: faults.length === 0 ? await findRepeated(tx, contentHash) : undefined,
      };
    });
  }

  /** Checks rows in chunks, so that no single query takes the thread's time for long. */
  async #checkOrders(tx: MerchantTx, rows: readonly ReadRow[]): Promise<OrderFacts[]> {
    const known: OrderFacts[] = [];
    for (let from = 0; from < rows.length; from += rowsPerQuery)
      known.push(...(await this.#payouts.checkOrders(tx, rows.slice(from, from + rowsPerQuery))));
    return known;
  }
}

function compareRows(rows: readonly ReadRow[], known: readonly OrderFacts[]): Found {
  const both = rows.map((row, index) => ({ ...row, ...known[index] }));
  const twins = repeatsIn(both, ({ accountKey, amountMinor }) => `${accountKey} ${amountMinor}`);
  const numbers = repeatsIn(both, ({ outTradeNo }) => outTradeNo);
  const faults: RowFault[] = [];
  const similar: Found['similar'] = [];
  for (const { line, isBranchKnown, isNumberUsed, similar: earlier } of both) {
    if (isBranchKnown === false) faults.push({ line, field: 'ifsc', message: 'validation.ifsc' });
    if (isNumberUsed || numbers.has(line))
      faults.push({ line, field: 'out_trade_no', message: 'errors.out_trade_no_used' });
    const earlierLine = twins.get(line) ?? null;
    if (earlier || earlierLine !== null) {
      const isUnknown = earlier?.status === 'pendingSettlement';
      similar.push({ line, trade_no: earlier?.tradeNo ?? null, earlierLine, isUnknown });
    }
  }
  const linesOf = (is: 'isNewAccount' | 'isChangedAccount') =>
    both.filter((row) => row[is]).map(({ line }) => line);
  return {
    faults,
    similar,
    newAccounts: linesOf('isNewAccount'),
    changedAccounts: linesOf('isChangedAccount'),
  };
}
