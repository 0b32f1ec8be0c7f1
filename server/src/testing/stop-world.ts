import { randomBytes } from 'node:crypto';
import type { StopEffect, StoppedParty } from '@hengfu/contract/suspension';
import { sql } from 'kysely';
import { SandboxAdapter } from '#channels/sandbox/sandbox-adapter.ts';
import type { Person, RequestInfo } from '#domain/caller.ts';
import { Refusal } from '#domain/refusal.ts';
import { findSession } from '#http/session.sql.ts';
import { KeyRevocationService } from '../features/suspension/key-revocation.service.ts';
import { SuspensionService } from '../features/suspension/suspension.service.ts';
import { bankSecret, type TestMerchant, type TestProduct, testPassword } from './test-product.ts';
import { until } from './until.ts';
import type { Visitor } from './visitor.ts';

export const paymentPassword = '888888';
const reason = 'a test';
export const staff = 'operator:test';
export const tron = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
/** The details of a person's call, for the audit trail. */
export const request: RequestInfo = {
  id: 'in-flight',
  address: '127.0.0.1',
  userAgent: 'test',
  language: 'en',
};

let worlds = 0;
let accounts = 0;

/**
 * Fixture of the suspension tests: a merchant with funds, a key and a signed-in administrator, and the
 * services that stop each of them.
 */
export class StopWorld {
  readonly product: TestProduct;
  readonly merchant: TestMerchant;
  readonly visitor: Visitor;
  /** The administrator, as in a call that was authenticated before the stop. */
  readonly person: Person;
  readonly suspension: SuspensionService;
  readonly keys: KeyRevocationService;

  private constructor(product: TestProduct, merchant: TestMerchant, visitor: Visitor, person: Person) {
    const { database, onMerchantReactivated: onReactivated } = product.services;
    this.product = product;
    this.merchant = merchant;
    this.visitor = visitor;
    this.person = person;
    this.suspension = new SuspensionService({ database, actor: staff, onReactivated });
    this.keys = new KeyRevocationService(database, staff);
  }

  static async make(product: TestProduct): Promise<StopWorld> {
    const merchant = await product.merchant(`stopped${++worlds}`);
    await product.fund(merchant, '10000.00');
    const { database, depositWallets, withdrawalTerms } = product.services;
    await withdrawalTerms.setRate('CNY', '7.15', staff);
    const terms = { feeUsdtMinor: 0n, freePerDay: 9, minimumUsdtMinor: 1n };
    await withdrawalTerms.setTerms(merchant.id, terms, staff);
    await depositWallets.set({ network: 'TRC20', address: tron, minimumUsdtMinor: 1n }, staff);
    const visitor = await product.person(merchant);
    await visitor.post('/api/user/confirm-password', { password: testPassword });
    const set = { payment_password: paymentPassword, payment_password_confirmation: paymentPassword };
    await visitor.send('PUT', '/api/merchant/payment-password', set);
    const sessionId = visitor.cookies.get('hengfu_session') ?? '';
    const found = await database.asSystem((tx) => findSession(tx, sessionId));
    if (!found) throw new Error('the administrator is not signed in');
    return new StopWorld(product, merchant, visitor, found.person);
  }

  get email(): string {
    return this.person.email;
  }

  /** Suspends the person or the merchant, or revokes the key. */
  async stop(party: StoppedParty): Promise<void> {
    if (party === 'person') await this.suspension.suspendPerson(this.email, reason);
    else if (party === 'merchant') await this.suspension.suspendMerchant(this.merchant.id, reason);
    else await this.keys.revokeKey(this.merchant.program.key.id, reason);
  }

  async reactivate(party: 'person' | 'merchant'): Promise<void> {
    if (party === 'person') await this.suspension.reactivatePerson(this.email, reason);
    else await this.suspension.reactivateMerchant(this.merchant.id, reason);
  }

  /** Runs a job as a worker would; its payload names the merchant. */
  async run(task: string, payload: object = {}): Promise<void> {
    const work = this.product.services.tasks[task];
    if (!work) throw new Error(`there is no task ${task}`);
    await work({ merchantId: String(this.merchant.id), ...payload });
  }

  /** Reads one value from the database. */
  async value<T>(query: ReturnType<typeof sql<{ value: T }>>): Promise<T> {
    const { rows } = await this.product.services.database.asSystem((tx) => query.execute(tx.query));
    return rows[0]?.value as T;
  }

  payoutOrder(amount: string, account = ++accounts) {
    return {
      channel: 'CN_BANK',
      amount,
      payee: '王芳',
      payeeAccount: `95588012${String(account).padStart(6, '0')}`,
      bank: 'ICBC',
      bankName: '中国工商银行',
    } as const;
  }

  payoutBody(amount: string) {
    return { ...this.payoutOrder(amount), payment_password: paymentPassword } as const;
  }

  /** Creates an unsent payout by the person; returns its number. */
  async payout(amount = '10.00'): Promise<string> {
    const payout = await this.product.services.payouts.apply(this.person, request, this.payoutBody(amount));
    return payout.tradeNo;
  }

  /** Returns the body of a payout by the merchant's program. */
  signedOrder(amount: string, outTradeNo: string) {
    return { ...this.payoutOrder(amount), currency: 'CNY', out_trade_no: outTradeNo } as const;
  }

  /** Creates an unsent payout by the key; returns its number. */
  async signedPayout(amount = '10.00'): Promise<string> {
    const order = this.signedOrder(amount, randomBytes(8).toString('hex'));
    return (await this.merchant.program.post('/openapi/v1/payouts', order)).json.trade_no;
  }

  /** Creates a payout by the key that waits for the person's approval; returns the number of its request. */
  async approvalRequest(): Promise<string> {
    const rule = {
      kind: 'payout',
      amountMinor: '0',
      approvers: 1,
      roles: ['MERCHANT_ADMIN'],
      people: [],
    } as const;
    const rules = [{ ...rule, roles: [...rule.roles], people: [] }];
    await this.product.services.approvalRules.setFor(this.merchant.id, staff, { rules, days: 7 });
    const tradeNo = await this.signedPayout();
    return this.value(
      sql<{ value: string }>`select request_no as value from approval_request where subject_no = ${tradeNo}`,
    );
  }

  /**
   * Creates unsent payouts even if the merchant is suspended, as if they had been accepted just before. `task` is
   * the job that will send them; an unknown one leaves sending to the test.
   */
  async heldPayouts(count: number, task = 'payouts.send'): Promise<string[]> {
    const orders = Array.from({ length: count }, () => {
      const { payeeAccount, bankName, amount: _amount, ...order } = this.payoutOrder('10.00');
      return {
        ...order,
        merchant_id: String(this.merchant.id),
        out_trade_no: randomBytes(8).toString('hex'),
        request_hash: '\\x00',
        currency: 'CNY',
        amount_minor: '1000',
        payee_account: payeeAccount,
        account_key: `CN_BANK ${payeeAccount}`,
        bank_name: bankName,
        source: 'openApi',
        created_by: 'key:before',
        means_similar: false,
      };
    });
    const { id } = this.merchant;
    return this.product.services.database.asSystem(async (tx) => {
      tx.jobsReady(count);
      const { rows: before } = await sql<{ at: Date | null; reason: string | null; by: string | null }>`
        select suspended_at as at, suspension_reason as reason, suspended_by as by, set_config('app.merchant_id', ${String(id)}, true)
        from merchant where id = ${id} for update`.execute(tx.query);
      await sql`
        update merchant set suspended_at = null, suspension_reason = null, suspended_by = null where id = ${id}`.execute(
        tx.query,
      );
      const { rows } = await sql<{ no: string }>`
        select trade_no as no from decide_payouts(${JSON.stringify(orders)}::json, 24, ${task}, 25)`.execute(
        tx.query,
      );
      const { at = null, reason = null, by = null } = before[0] ?? {};
      await sql`
        update merchant set suspended_at = ${at}, suspension_reason = ${reason}, suspended_by = ${by} where id = ${id}`.execute(
        tx.query,
      );
      return rows.map(({ no }) => no);
    });
  }

  /** Builds the payload of the job that delivers a callback. */
  deliveryOf(id: string, url: string) {
    return { id, merchantId: String(this.merchant.id), target: new URL(url).origin };
  }

  statuses(): Promise<string[]> {
    return this.value(sql<{ value: string[] }>`
      select coalesce(array_agg(status), '{}') as value from payout where merchant_id = ${this.merchant.id}`);
  }

  isSuspended(): Promise<boolean> {
    return this.value(sql<{ value: boolean }>`
      select suspended_at is not null as value from merchant where id = ${this.merchant.id}`);
  }

  payoutStatus(tradeNo: string): Promise<string> {
    return this.value(sql<{ value: string }>`select status as value from payout where trade_no = ${tradeNo}`);
  }

  collectionStatus(tradeNo: string): Promise<string> {
    return this.value(
      sql<{ value: string }>`select status as value from collection where trade_no = ${tradeNo}`,
    );
  }

  /**
   * Creates a collection by bank transfer; returns its number and its payer's token. Without a callback URL
   * it is `success` as soon as it is paid.
   */
  async collection(fields: Record<string, unknown> = {}): Promise<{ tradeNo: string; token: string }> {
    const { json } = await this.merchant.program.create(randomBytes(8).toString('hex'), {
      channel: 'CN_BANK',
      ...fields,
    });
    return { tradeNo: json.trade_no, token: json.cashierUrl.split('/pay/')[1] };
  }

  /** Creates a paid collection with a callback; returns its number and the callback's id. */
  async paidWithCallback(notifyUrl: string): Promise<{ tradeNo: string; id: string }> {
    const { tradeNo } = await this.collection({ notifyUrl });
    await this.reportPaid(tradeNo);
    const id = await this.value(
      sql<{ value: string }>`select id as value from callback_message where subject_no = ${tradeNo}`,
    );
    return { tradeNo, id };
  }

  /** Reports a payment of 100.00, as the bank would. */
  async reportPaid(reference: string): Promise<void> {
    await this.product.services.collections.report({
      reference,
      amountMinor: 10_000n,
      currency: 'CNY',
      status: 'paid',
      bankReference: `bank-${reference}`,
      reason: null,
    });
  }

  /** Pays at the sandbox bank, and waits for its report. */
  async payAtBank(tradeNo: string): Promise<void> {
    const bank = new SandboxAdapter({ url: this.product.bank?.url ?? '', secret: bankSecret });
    await bank.playPayer(tradeNo, 'confirm');
    await until(
      () => this.collectionStatus(tradeNo),
      (status) => status === 'success',
    );
  }

  withdrawalBody() {
    return {
      unit: 'usdt',
      amount: '10',
      network: 'TRC20',
      address: tron,
      payment_password: paymentPassword,
    } as const;
  }

  async withdrawal(): Promise<string> {
    const { withdrawals } = this.product.services;
    return (await withdrawals.apply(this.person, request, this.withdrawalBody())).tradeNo;
  }

  async batch(): Promise<string> {
    const batch = await this.product.services.payoutBatches.apply(
      this.person,
      request,
      await this.batchBody(),
    );
    return batch.batchNo;
  }

  async batchBody() {
    const { channel: _channel, ...row } = this.payoutOrder('10.00');
    return {
      channel: 'CN_BANK' as const,
      rows: [row],
      // 10.00 plus the fee of 0.2 %.
      total: '10.02',
      name: 'b.csv',
      confirmed: [],
      confirmRepeated: true,
      payment_password: paymentPassword,
    };
  }
}

/** Makes a call for a stopped party: `refused` if a suspension is the reason, `continues` if it succeeds. */
export async function effectOfCall(call: () => Promise<unknown>): Promise<StopEffect> {
  try {
    await call();
    return 'continues';
  } catch (error) {
    if (error instanceof Refusal && ['merchant_suspended', 'unauthenticated'].includes(error.code))
      return 'refused';
    throw error;
  }
}
