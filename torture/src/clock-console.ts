import { MerchantService } from '@hengfu/server/features/merchants/merchants.service.ts';
import type { KeyedMerchant } from '@hengfu/server/testing/keyed-merchants.ts';
import { ShopProgram } from '@hengfu/server/testing/shop-program.ts';
import { codeOf, earlierCodeOf } from '@hengfu/server/testing/totp.ts';
import { until } from '@hengfu/server/testing/until.ts';
import { Visitor } from '@hengfu/server/testing/visitor.ts';
import type { Harness } from './harness.ts';

const email = 'clock@shop.test';
const password = 'Clock-pass-2026';
const expirySeconds = 10;
/** Nothing may be stuck for a minute, however busy the machine is. A wrong clock would be off by hours. */
const expirySlackSeconds = 50;
const stepSeconds = 30;

/** An order that nobody pays. */
interface ExpiringOrder {
  path: string;
  /** A time of `performance.now()`. */
  begunAt: number;
}

/** A console user with a second factor; checks what such a user notices while the clock is wrong. */
export class ConsoleUser {
  readonly #harness: Harness;
  readonly #url: string;
  readonly #merchant: KeyedMerchant;
  /** A session that began while the clock was right. */
  readonly #early: Visitor;
  readonly #secretKey: string;
  #usedStep = 0;

  private constructor(harness: Harness, url: string, early: Visitor, secretKey: string) {
    this.#harness = harness;
    this.#url = url;
    this.#merchant = harness.merchants[0] as KeyedMerchant;
    this.#early = early;
    this.#secretKey = secretKey;
  }

  /** Creates a user with a second factor and signs in while the clock is right. */
  static async open(harness: Harness, url: string): Promise<ConsoleUser> {
    const { services } = harness.installation.runtime;
    const admin = new MerchantService(services.database, services.secrets, 'operator:setup');
    await admin.createUser((harness.merchants[0] as KeyedMerchant).id, {
      email,
      name: 'Clock',
      password,
      roles: ['MERCHANT_ADMIN'],
    });
    const early = new Visitor(url);
    await early.signIn(email, password);
    await early.post('/api/user/confirm-password', { password });
    await early.post('/api/user/two-factor-authentication', {});
    const { secretKey } = (await early.get('/api/user/two-factor-secret-key')).json;
    const code = await earlierCodeOf(secretKey);
    const { status } = await early.post('/api/user/confirmed-two-factor-authentication', { code });
    if (status !== 200) throw new Error(`the second factor could not be set up: ${status}`);
    return new ConsoleUser(harness, url, early, secretKey);
  }

  /** Checks that an open session stays open, and that a sign-in accepts only the code for the right time. */
  async faultsOfSignIn(skewSeconds: number): Promise<string[]> {
    const faults: string[] = [];
    if ((await this.#early.get('/api/merchant/user')).status !== 200)
      faults.push(`${skewSeconds} s off, a session that was open has ended`);
    const visitor = new Visitor(this.#url);
    const first = await visitor.signIn(email, password);
    if (first.json.two_factor !== true) faults.push(`the password got the reply ${first.status}`);
    const pass = (code: string) => visitor.post('/api/two-factor-challenge', { code });
    if (Math.abs(skewSeconds) > 2 * stepSeconds) {
      const wrong = await pass(codeOf(this.#secretKey, Math.round(skewSeconds / stepSeconds)));
      if (wrong.status !== 422)
        faults.push(`a code for the server’s wrong time got the reply ${wrong.status}`);
    }
    const right = await pass(await this.#nextCode());
    const { status } = await visitor.get('/api/merchant/user');
    if (right.status !== 204 || status !== 200)
      faults.push(`${skewSeconds} s off, signing in ended with ${right.status} and ${status}`);
    return faults;
  }

  /**
   * Returns an unused code of the current or the next step, which is accepted too; waits if both were used.
   */
  async #nextCode(): Promise<string> {
    const currentStep = () => Math.floor(Date.now() / 1000 / stepSeconds);
    this.#usedStep = Math.max(currentStep(), this.#usedStep + 1);
    await until(
      async () => currentStep(),
      (step) => step + 1 >= this.#usedStep,
      2 * stepSeconds * 1000,
    );
    return codeOf(this.#secretKey, this.#usedStep - currentStep());
  }

  /** Creates an order that expires in ten seconds. The clock must be right until it is acknowledged. */
  async createExpiring(): Promise<ExpiringOrder> {
    const begunAt = performance.now();
    const order = { expiresIn: expirySeconds, amount: '5.00', currency: 'CNY' };
    const { status, json } = await this.#program().create('expiry', order);
    if (status !== 201)
      throw new Error(`an order of ${expirySeconds} s got the reply ${status} ${json.code}`);
    return { path: `/openapi/v1/collections/${json.trade_no}`, begunAt };
  }

  /** Checks that an order expires at the promised time, however often the clock jumps meanwhile. */
  async faultsOfExpiry({ path, begunAt }: ExpiringOrder, skewSeconds: () => number): Promise<string[]> {
    const signed = () => ({ timestamp: String(Math.floor(Date.now() / 1000) + skewSeconds()) });
    const state = await until(
      async () => {
        const { status, json } = await this.#program().get(path, signed());
        return json.status ?? `${status} ${json.code}`;
      },
      (status) => status === 'closed',
      (expirySeconds + expirySlackSeconds) * 1000,
    ).catch(String);
    const seconds = Math.round((performance.now() - begunAt) / 1000);
    if (state === 'closed' && seconds >= expirySeconds - 1) return [];
    return [
      `an order of ${expirySeconds} s was not closed at the right time, but after ${seconds} s: ${state}`,
    ];
  }

  #program(): ShopProgram {
    return new ShopProgram(this.#url, this.#merchant.key);
  }

  /** Checks that the dashboard uses the database's day and counts the payouts processed in it. */
  async faultsOfFigures(): Promise<string[]> {
    const look = async () => {
      const askedAt = Date.now();
      const { current, asOf } = (await this.#early.get('/api/merchant/dashboard')).json.data;
      const seenAt = Date.now();
      const done = await this.#harness.installation.runtime.services.database.asMerchant(
        this.#merchant.id,
        (tx) => tx.query.selectFrom('payout').select('trade_no').where('status', '=', 'processed').execute(),
      );
      const at = Date.parse(asOf);
      return {
        shown: current.payout.count,
        done: done.length,
        // A slow reply is no fault: the figures are as old as the call at most.
        offMs: Math.max(askedAt - at, at - seenAt),
      };
    };
    const { offMs } = await until(look, ({ shown, done }) => shown === done);
    return offMs > 5000 ? [`the dashboard’s figures are dated ${offMs} ms from now`] : [];
  }
}
