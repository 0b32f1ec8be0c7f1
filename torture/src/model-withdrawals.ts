import type { Runtime } from '@hengfu/server/composition/runtime.ts';
import type { Home, Person } from '@hengfu/server/domain/caller.ts';
import { WithdrawalService } from '@hengfu/server/features/withdrawals/withdrawals.service.ts';
import { type Model, type ModelOrder, request, type Step, text } from './model-state.ts';
import type { Random } from './torture.ts';

const staff = 'operator:model';
const maxAmountMinor = 500_000;
const tron = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';

/** Generates withdrawals of one merchant and their review by operators. */
export class WithdrawalSteps {
  readonly #home: Home;
  readonly #model: Model;
  readonly #random: Random;
  readonly #service: WithdrawalService;
  readonly #runtime: Runtime;
  /** A user of the merchant: only an active user may apply. */
  #userId: bigint | undefined;

  constructor(runtime: Runtime, home: Home, model: Model, random: Random) {
    this.#runtime = runtime;
    this.#home = home;
    this.#model = model;
    this.#random = random;
    // Accepts every applicant: authorization is not tested here.
    this.#service = new WithdrawalService(runtime.services.database, async () => {});
  }

  apply(number: string): Step {
    const amountMinor = BigInt(this.#random.between(1000, maxAmountMinor));
    const order = this.#model.add({
      kind: 'withdrawal',
      number,
      amountMinor,
      hasChannel: false,
    });
    const expected = this.#model.hold(amountMinor + order.feeMinor);
    if (expected !== 'done') this.#model.orders.pop();
    const act = async () => {
      const body = { amount: text(amountMinor), unit: 'home', network: 'TRC20', address: tron } as const;
      this.#userId ??= await this.#addPerson();
      const person = { userId: this.#userId, home: this.#home } as Person;
      const made = await this.#service.apply(person, request, { ...body, payment_password: '' });
      order.tradeNo = made.tradeNo;
    };
    return { name: `withdraw ${text(amountMinor)}`, expected, act };
  }

  async #addPerson(): Promise<bigint> {
    const { merchantId, code } = this.#home;
    return this.#runtime.services.database.asSystem(async (tx) => {
      const { id } = await tx.query
        .insertInto('app_user')
        .values({ email: `${code}@model.test`, name: 'Model', password_hash: 'none' })
        .returning('id')
        .executeTakeFirstOrThrow();
      await tx.query
        .insertInto('membership')
        .values({ merchant_id: merchantId, user_id: id, roles: ['MERCHANT_ADMIN'] })
        .execute();
      return id;
    });
  }

  review(order: ModelOrder): Step {
    const to = this.#random.of(['approved', 'paid', 'rejected'] as const);
    const before = {
      approved: ['pendingReview'],
      paid: ['approved'],
      rejected: ['pendingReview', 'approved'],
    }[to];
    const isAllowed = before.includes(order.status);
    if (isAllowed && to === 'approved') order.status = to;
    else if (isAllowed) this.#model.release(order, to, to === 'paid');
    const transaction = order.tradeNo.padEnd(64, '0').replace(/\D/g, 'a').toLowerCase();
    const act = {
      approved: () => this.#runtime.services.withdrawalReview.approve(order.tradeNo, staff),
      paid: () => this.#runtime.services.withdrawalReview.pay(order.tradeNo, staff, transaction),
      rejected: () => this.#runtime.services.withdrawalReview.reject(order.tradeNo, staff, 'no'),
    }[to];
    return { name: `${order.number} ${to}`, expected: isAllowed ? 'done' : 'invalid_transition', act };
  }
}
