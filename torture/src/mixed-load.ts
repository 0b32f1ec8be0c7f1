import { setTimeout as pause } from 'node:timers/promises';
import type { KeyedMerchant } from '@hengfu/server/testing/keyed-merchants.ts';
import { ShopProgram } from '@hengfu/server/testing/shop-program.ts';
import type { Answer } from '@hengfu/server/testing/visitor.ts';
import type { Random } from './torture.ts';

interface LoadOptions {
  url: string;
  merchants: readonly KeyedMerchant[];
  clients: number;
  /** Rate limit for new calls. */
  perSecond: number;
  random: Random;
}

/**
 * Last two digits of amounts with which the bank does not simply pay; repeated ones are chosen more often.
 */
const oddCents = ['01', '01', '02', '02', '03', '03', '06', '07', '09'];
const payoutShare = 75;
const createShare = 15;
const retryMs = [50, 400] as const;
const answerWithinMs = 30_000;

/**
 * Clients of several merchants that create payouts and collections and query payouts. Each retries with the
 * same order number until it gets a reply, as the documentation requires.
 */
export class MixedLoad {
  /** Our order numbers of the acknowledged payouts, by merchant order number. */
  readonly payouts = new Map<string, string>();
  /** The same for collections. */
  readonly collections = new Map<string, string>();
  readonly faults: string[] = [];
  retries = 0;
  slowestMs = 0;
  readonly #options: LoadOptions;
  readonly #programs: readonly ShopProgram[];
  #begun = 0;
  #isOver = false;

  constructor(options: LoadOptions) {
    this.#options = options;
    this.#programs = options.merchants.map(({ key }) => new ShopProgram(options.url, key));
  }

  /** Runs until {@link stop}, and then until all open calls have a reply. */
  async run(): Promise<void> {
    let nextAt = performance.now();
    const client = async () => {
      while (!this.#isOver) {
        const number = this.#begun++;
        // Calls that an outage delayed are not made up for: a burst would exceed the rate.
        const dueAt = Math.max(nextAt, performance.now());
        nextAt = dueAt + 1000 / this.#options.perSecond;
        if (dueAt > performance.now()) await pause(dueAt - performance.now());
        if (!this.#isOver) await this.#act(number);
      }
    };
    await Promise.all(Array.from({ length: this.#options.clients }, client));
  }

  stop(): void {
    this.#isOver = true;
  }

  async #act(number: number): Promise<void> {
    const { random } = this.#options;
    const chance = random.between(1, 100);
    if (chance <= payoutShare) {
      await this.#submit('payouts', number, payoutOf(number, random), this.payouts);
    } else if (chance <= payoutShare + createShare) {
      await this.#submit('collections', number, { amount: '10.00', currency: 'CNY' }, this.collections);
    } else {
      await this.#query();
    }
  }

  async #submit(path: string, number: number, body: object, known: Map<string, string>): Promise<void> {
    const outTradeNo = `load-${number}`;
    const answer = await this.#callWithRetry(
      (program) => program.post(`/openapi/v1/${path}`, { out_trade_no: outTradeNo, ...body }),
      number,
    );
    if (answer.status === 201) known.set(outTradeNo, answer.json.trade_no);
    else this.faults.push(`${path} ${outTradeNo} was refused: ${answer.status} ${answer.json.code}`);
  }

  /** Queries a recently acknowledged payout, which must exist. */
  async #query(): Promise<void> {
    if (this.payouts.size === 0) return;
    const [outTradeNo, tradeNo] = this.#options.random.of([...this.payouts.entries()].slice(-50));
    const number = Number(outTradeNo.split('-')[1]);
    const { status, json } = await this.#callWithRetry(
      (program) => program.get(`/openapi/v1/payouts?out_trade_no=${outTradeNo}`),
      number,
    );
    if (status !== 200 || json.trade_no !== tradeNo)
      this.faults.push(
        `payout ${outTradeNo} was acknowledged as ${tradeNo}, but a query returned ${status} ${json.trade_no}`,
      );
  }

  async #callWithRetry(call: (program: ShopProgram) => Promise<Answer>, number: number): Promise<Answer> {
    const program = this.#programs[number % this.#programs.length] as ShopProgram;
    for (;;) {
      const begunAt = performance.now();
      const answer = await call(program).catch(() => undefined);
      const tookMs = performance.now() - begunAt;
      this.slowestMs = Math.max(this.slowestMs, tookMs);
      if (tookMs > answerWithinMs) this.faults.push(`call ${number} took ${Math.round(tookMs)} ms`);
      if (answer && answer.status < 500) return answer;
      if (answer && answer.status !== 503)
        this.faults.push(`call ${number} got the reply ${answer.status} ${JSON.stringify(answer.json)}`);
      this.retries++;
      await pause(this.#options.random.between(...retryMs));
    }
  }
}

function payoutOf(number: number, random: Random): object {
  const cents = random.percent(9) ? random.of(oddCents) : '00';
  return {
    amount: `${10 + (number % 90)}.${cents}`,
    currency: 'CNY',
    channel: 'CN_BANK',
    payee: '王芳',
    payeeAccount: `95588012${String(number).padStart(8, '0')}`,
    bank: 'ICBC',
    bankName: 'ICBC',
  };
}
