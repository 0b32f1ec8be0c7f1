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

const paymentPassword = '888888';
const reason = 'a test';
export const staff = 'operator:test';
export const tron = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
/** What a person's call is known by. */
export const request: RequestInfo = {
  id: 'in-flight',
  address: '127.0.0.1',
  userAgent: 'test',
  language: 'en',
};

let worlds = 0;
let accounts = 0;

/** A merchant with funds, a key and an administrator who is signed in, and the staff who can stop each of them. */
export class StopWorld {
  readonly product: TestProduct;
  readonly merchant: TestMerchant;
  readonly visitor: Visitor;
  /** The administrator as a call has it that was let in before anything was stopped. */
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
    const { database, topupReview, withdrawalTerms } = product.services;
    await withdrawalTerms.setRate('CNY', '7.15', staff);
    const terms = { feeUsdtMinor: 0n, freePerDay: 9, minimumUsdtMinor: 1n };
    await withdrawalTerms.setTerms(merchant.id, terms, staff);
    await topupReview.setWallet({ network: 'TRC20', address: tron, minimumUsdtMinor: 1n }, staff);
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

  /** Runs a job as a worker would; what it is given names the merchant. */
  async run(task: string, given: object = {}): Promise<void> {
    const work = this.product.services.tasks[task];
    if (!work) throw new Error(`no task is called ${task}`);
    await work({ merchantId: String(this.merchant.id), ...given });
  }

  /** One value of the database. */
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

  /** A payout by the person, taken and not sent; its number. */
  async payout(amount = '10.00'): Promise<string> {
    const payout = await this.product.services.payouts.apply(this.person, request, this.payoutBody(amount));
    return payout.tradeNo;
  }

  /** A payout as the merchant's program asks for it. */
  signedOrder(amount: string, outTradeNo: string) {
    return { ...this.payoutOrder(amount), currency: 'CNY', out_trade_no: outTradeNo } as const;
  }

  /** A payout by the key, taken and not sent; its number. */
  async signedPayout(amount = '10.00'): Promise<string> {
    const order = this.signedOrder(amount, randomBytes(8).toString('hex'));
    return (await this.merchant.program.post('/openapi/v1/payouts', order)).json.trade_no;
  }

  /**
   * Payouts as a process of the version before takes them, which does not ask how the merchant stands. `task` is the job
   * that is to send them; one that nobody knows leaves that to the test.
   */
  async takenByTheVersionBefore(count: number, task = 'payouts.send'): Promise<string[]> {
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
    const { rows } = await this.product.services.database.asMerchant(this.merchant.id, (tx) => {
      tx.jobsReady(count);
      return sql<{ no: string }>`
        select (held).trade_no as no from take_payouts(${JSON.stringify(orders)}::json, 24, ${task}, 25)`.execute(
        tx.query,
      );
    });
    return rows.map(({ no }) => no);
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

  /** A collection by bank transfer, with its number and its payer's token; paid, it is `success` where nobody is called back. */
  async collection(fields: Record<string, unknown> = {}): Promise<{ tradeNo: string; token: string }> {
    const { json } = await this.merchant.program.create(randomBytes(8).toString('hex'), {
      channel: 'CN_BANK',
      ...fields,
    });
    return { tradeNo: json.trade_no, token: json.cashierUrl.split('/pay/')[1] };
  }

  /** A paid collection of which the shop's server is to be told, and the message. */
  async paidWithCallback(notifyUrl: string): Promise<{ tradeNo: string; id: string }> {
    const { tradeNo } = await this.collection({ notifyUrl });
    await this.bankIsPaid(tradeNo);
    const id = await this.value(
      sql<{ value: string }>`select id as value from callback_message where subject_no = ${tradeNo}`,
    );
    return { tradeNo, id };
  }

  /** The bank has been paid 100.00. */
  async bankIsPaid(reference: string): Promise<void> {
    await this.product.services.collections.report({
      reference,
      amountMinor: 10_000n,
      currency: 'CNY',
      status: 'paid',
      bankReference: `bank-${reference}`,
      reason: null,
    });
  }

  /** The payer pays at the bank, which reports it. */
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
      // 10.00 and the fee of 0.2 %.
      total: '10.02',
      name: 'b.csv',
      confirmed: [],
      confirmRepeated: true,
      payment_password: paymentPassword,
    };
  }
}

/** What becomes of a call that a stopped party makes: refused by one of the reasons for it, or carried out. */
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
