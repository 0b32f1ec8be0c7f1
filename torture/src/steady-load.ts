import { setTimeout as pause } from 'node:timers/promises';
import type { KeyedMerchant } from '@hengfu/server/testing/keyed-merchants.ts';
import type { ShopProgram } from '@hengfu/server/testing/shop-program.ts';
import { until } from '@hengfu/server/testing/until.ts';
import type { Random } from './torture.ts';

/** A payout that the product acknowledged. */
export interface Acknowledged {
  merchant: KeyedMerchant;
  outTradeNo: string;
  tradeNo: string;
  amountMinor: bigint;
  /** When its sender read the reply. */
  at: Date;
}

/** One call as its sender saw it. `result` is `201`, a refusal's status and code, or an error's code. */
export interface Attempt {
  /** A time of `performance.now()`. */
  begunAt: number;
  tookMs: number;
  result: string;
}

export interface LoadOptions {
  merchants: readonly KeyedMerchant[];
  clients: number;
  /** Prefix of the order numbers; must differ between loads on one harness. */
  name?: string;
  random: Random;
  /** Chooses the program that sends the next attempt, as a load balancer chooses a process for each call. */
  programOf: (merchant: KeyedMerchant) => ShopProgram;
  /** Last two digits of the amounts, which choose the sandbox bank's behavior (sandbox/README.md). */
  outcomes?: readonly string[];
  /** Timeout of a call: a fault, after which its sender retries. */
  answerWithinMs?: number;
  /** Whether a call begun at this time may time out, because the network to the server was faulty. */
  mayHang?: (begunAt: number) => boolean;
  /** Pause of a client between two orders. */
  betweenMs?: number;
  /** The clients' clock, in milliseconds since 1970. */
  clock?: () => number;
  /** Error codes after which a client retries, besides `unavailable`. */
  retriedCodes?: readonly string[];
}

/** Paid immediately, refused, decided later, paid without a callback, or a result whose reply is lost. */
export const usualOutcomes: readonly string[] = ['00', '00', '00', '00', '01', '02', '06', '07', '08'];

/** Pause before a client retries an order. */
const retryMs = 100;
/** An order that is not acknowledged within this time is a fault. */
const patienceMs = 90_000;
let accountCount = 0;

/**
 * Clients that send payouts and retry each with the same number until it is acknowledged, as the
 * documentation requires of a shop. Any reply other than 201 and 503 is a fault.
 */
export class SteadyLoad {
  readonly acknowledged: Acknowledged[] = [];
  readonly attempts: Attempt[] = [];
  readonly faults: string[] = [];
  readonly #options: Required<LoadOptions>;
  readonly #clients: Promise<void>[];
  #orders = 0;
  #isOver = false;
  #isAbandoned = false;

  /** Starts the clients. */
  constructor(options: LoadOptions) {
    this.#options = {
      name: 'load',
      outcomes: usualOutcomes,
      answerWithinMs: 60_000,
      betweenMs: 0,
      clock: Date.now,
      retriedCodes: [],
      mayHang: () => false,
      ...options,
    };
    this.#clients = Array.from({ length: options.clients }, () => this.#client());
  }

  /** Waits until `orders` more payouts are acknowledged. Throws after the timeout. */
  async waitForPayouts(orders: number, timeoutMs = patienceMs): Promise<void> {
    const goal = this.acknowledged.length + orders;
    await until(
      async () => this.acknowledged.length,
      (count) => count >= goal,
      timeoutMs,
    );
  }

  /** Stops new orders; resolves once each open one is acknowledged or given up. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#clients);
  }

  /** Stops new orders and retries immediately. */
  abandon(): void {
    this.#isOver = true;
    this.#isAbandoned = true;
  }

  /** How often each result was seen. */
  get results(): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const { result } of this.attempts) counts[result] = (counts[result] ?? 0) + 1;
    return counts;
  }

  /** The longest time a call waited for its reply. */
  get longestMs(): number {
    return Math.round(this.attempts.reduce((longest, { tookMs }) => Math.max(longest, tookMs), 0));
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
    for (const endsAt = performance.now() + patienceMs; performance.now() < endsAt; await pause(retryMs)) {
      if (this.#isAbandoned) return;
      const tradeNo = await this.#attempt(programOf(merchant), body);
      if (tradeNo === undefined) continue;
      const amountMinor = BigInt(amount.replace('.', ''));
      this.acknowledged.push({ merchant, outTradeNo, tradeNo, amountMinor, at: new Date() });
      return;
    }
    this.faults.push(`${outTradeNo} was not acknowledged within ${patienceMs / 1000} s`);
  }

  /** Sends a payout once. Returns its number if it was accepted; undefined if it must be retried. */
  async #attempt(program: ShopProgram, body: object): Promise<string | undefined> {
    const begunAt = performance.now();
    const note = (result: string) =>
      this.attempts.push({ begunAt, tookMs: performance.now() - begunAt, result });
    try {
      const { status, json } = await program.post('/openapi/v1/payouts', body, {
        signal: AbortSignal.timeout(this.#options.answerWithinMs),
        timestamp: String(Math.floor(this.#options.clock() / 1000)),
      });
      note(status === 201 ? '201' : `${status} ${json.code}`);
      if (status === 201) return json.trade_no;
      if (json.code !== 'unavailable' && !this.#options.retriedCodes.includes(json.code))
        this.faults.push(`a payout got the reply ${status} ${JSON.stringify(json)}`);
    } catch (error) {
      const code = codeOf(error);
      note(code);
      if (code === 'TimeoutError' && !this.#options.mayHang(begunAt))
        this.faults.push(`a payout got no reply within ${this.#options.answerWithinMs / 1000} s`);
    }
    return undefined;
  }
}

/** Returns the code of the error that ended a call: the underlying connection error's, if there is one. */
function codeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.name;
}

/** Every payout goes to a new account, so that none is a twin of another. */
export function payoutBody(outTradeNo: string, amount: string) {
  return {
    out_trade_no: outTradeNo,
    amount,
    currency: 'CNY',
    channel: 'CN_BANK',
    payee: '王芳',
    bank: 'ICBC',
    bankName: '中国工商银行',
    branchName: '北京朝阳支行',
    payeeAccount: `9558 8012 ${String(accountCount++).padStart(8, '0')}`,
  };
}
