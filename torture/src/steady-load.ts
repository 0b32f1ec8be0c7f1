import { setTimeout as pause } from 'node:timers/promises';
import type { KeyedMerchant } from '@hengfu/server/testing/keyed-merchants.ts';
import type { ShopProgram } from '@hengfu/server/testing/shop-program.ts';
import { until } from '@hengfu/server/testing/until.ts';
import type { Random } from './torture.ts';

/** A payout that the product has said it took. */
export interface Acknowledged {
  merchant: KeyedMerchant;
  outTradeNo: string;
  tradeNo: string;
  amountMinor: bigint;
}

/** One call as its sender saw it. `result`: 201, a refusal's status and code, or what came instead of an answer. */
export interface Try {
  /** By `performance.now()`. */
  begunAt: number;
  tookMs: number;
  result: string;
}

export interface LoadOptions {
  merchants: readonly KeyedMerchant[];
  clients: number;
  /** What its orders are called by: needed where several loads are on one harness. */
  name?: string;
  random: Random;
  /** By whom the next try is sent: asked before each, as a client chooses one of several doors. */
  programOf: (merchant: KeyedMerchant) => ShopProgram;
  /** Last digits of the amounts, by which the sandbox bank decides (sandbox/README.md). */
  outcomes?: readonly string[];
  /** No call may stay without an answer for longer: its sender gives it up, and tries again. */
  answerWithinMs?: number;
  /** Whether a call that was begun then may: where the way to the server was broken meanwhile. */
  mayHang?: (begunAt: number) => boolean;
  /** Clients wait so long before each new order. */
  betweenMs?: number;
  /** What the clients' own clock shows, in milliseconds since 1970. */
  clock?: () => number;
  /** Codes of refusals after which a client tries again, besides `unavailable`. */
  passing?: readonly string[];
}

/** Paid at once, refused, decided later, paid without a callback, its answer lost after it was paid or refused. */
export const usualOutcomes: readonly string[] = ['00', '00', '00', '00', '01', '02', '06', '07', '08'];

/** What a client waits before it tries the same order again. */
const againMs = 100;
/** A client that is not answered for so long, however often it tries, gives up: that is a fault. */
const patienceMs = 90_000;
let accounts = 0;

/**
 * Clients that send payouts, each under its own number, and try again under the same number until they are told that it
 * was taken, as the documents ask of a shop. What else they are told than 201 and 503 is a fault.
 */
export class SteadyLoad {
  readonly acknowledged: Acknowledged[] = [];
  readonly tries: Try[] = [];
  readonly faults: string[] = [];
  readonly #options: Required<LoadOptions>;
  readonly #clients: Promise<void>[];
  #orders = 0;
  #isOver = false;
  #isAbandoned = false;

  /** Begins at once. */
  constructor(options: LoadOptions) {
    this.#options = {
      name: 'load',
      outcomes: usualOutcomes,
      answerWithinMs: 60_000,
      betweenMs: 0,
      clock: Date.now,
      passing: [],
      mayHang: () => false,
      ...options,
    };
    this.#clients = Array.from({ length: options.clients }, () => this.#client());
  }

  /** Resolves once so many more are acknowledged than were; fails where nobody is served any more. */
  async goOn(orders: number, timeoutMs = patienceMs): Promise<void> {
    const goal = this.acknowledged.length + orders;
    await until(
      async () => this.acknowledged.length,
      (count) => count >= goal,
      timeoutMs,
    );
  }

  /** Begins no new order; resolves once each that was begun is acknowledged, or given up. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#clients);
  }

  /** Leaves everything as it is: nobody tries again. */
  abandon(): void {
    this.#isOver = true;
    this.#isAbandoned = true;
  }

  /** How often each result was seen. */
  get results(): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const { result } of this.tries) counts[result] = (counts[result] ?? 0) + 1;
    return counts;
  }

  /** The longest that a call waited for its answer, or its refusal, in milliseconds. */
  get longestMs(): number {
    return Math.round(this.tries.reduce((longest, { tookMs }) => Math.max(longest, tookMs), 0));
  }

  async #client(): Promise<void> {
    while (!this.#isOver) {
      await this.#order();
      await pause(this.#options.betweenMs);
    }
  }

  async #order(): Promise<void> {
    const { name, merchants, random, outcomes, programOf } = this.#options;
    const merchant = random.of(merchants);
    const number = this.#orders++;
    const outTradeNo = `${name}-${number}`;
    const amount = `${random.between(1, 9)}.${random.of(outcomes)}`;
    const body = payoutBody(outTradeNo, amount);
    for (const endsAt = performance.now() + patienceMs; performance.now() < endsAt; await pause(againMs)) {
      if (this.#isAbandoned) return;
      const tradeNo = await this.#try(programOf(merchant), body);
      if (tradeNo === undefined) continue;
      const amountMinor = BigInt(amount.replace('.', ''));
      this.acknowledged.push({ merchant, outTradeNo, tradeNo, amountMinor });
      return;
    }
    this.faults.push(`${outTradeNo} was not acknowledged within ${patienceMs / 1000} s`);
  }

  /** Sends it once; the number under which it was taken, undefined where it is to be tried again. */
  async #try(program: ShopProgram, body: object): Promise<string | undefined> {
    const begunAt = performance.now();
    const note = (result: string) =>
      this.tries.push({ begunAt, tookMs: performance.now() - begunAt, result });
    try {
      const { status, json } = await program.post('/openapi/v1/payouts', body, {
        signal: AbortSignal.timeout(this.#options.answerWithinMs),
        timestamp: String(Math.floor(this.#options.clock() / 1000)),
      });
      note(status === 201 ? '201' : `${status} ${json.code}`);
      if (status === 201) return json.trade_no;
      if (json.code !== 'unavailable' && !this.#options.passing.includes(json.code))
        this.faults.push(`a payout was answered ${status} ${JSON.stringify(json)}`);
    } catch (error) {
      const code = codeOf(error);
      note(code);
      if (code === 'TimeoutError' && !this.#options.mayHang(begunAt))
        this.faults.push(`a payout was not answered within ${this.#options.answerWithinMs / 1000} s`);
    }
    return undefined;
  }
}

/** The code of what broke a call off: of the connection where it was that. */
function codeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.name;
}

/** No two go to the same account: none looks like another one's twin. */
function payoutBody(outTradeNo: string, amount: string) {
  return {
    out_trade_no: outTradeNo,
    amount,
    currency: 'CNY',
    channel: 'CN_BANK',
    payee: '王芳',
    bank: 'ICBC',
    bankName: '中国工商银行',
    branchName: '北京朝阳支行',
    payeeAccount: `9558 8012 ${String(accounts++).padStart(8, '0')}`,
  };
}
