import type { Runtime } from '@hengfu/server/composition/runtime.ts';
import type { Home, Program } from '@hengfu/server/domain/caller.ts';
import { markAccepted, markSent } from '@hengfu/server/features/payouts/payouts.moves.ts';
import { lockPayout } from '@hengfu/server/features/payouts/payouts.sql.ts';
import type { KeyedMerchant } from '@hengfu/server/testing/keyed-merchants.ts';
import { Model, type ModelOrder, request, type Step, text } from './model-state.ts';
import { WithdrawalSteps } from './model-withdrawals.ts';
import type { Random } from './torture.ts';

const maxAmountMinor = 500_000;

/** Chooses random operations of one merchant and applies each to the model immediately. */
export class Steps {
  readonly model: Model;
  readonly #runtime: Runtime;
  readonly #merchant: KeyedMerchant;
  readonly #random: Random;
  readonly #home: Home;
  readonly #program: Program;
  readonly #withdrawals: WithdrawalSteps;
  #count = 0;

  constructor(runtime: Runtime, merchant: KeyedMerchant, random: Random) {
    this.model = new Model({ isFeeKept: random.percent(30), mayTakeAvailable: random.percent(50) });
    this.#runtime = runtime;
    this.#merchant = merchant;
    this.#random = random;
    const { id: merchantId, code } = merchant;
    this.#home = { merchantId, code, name: code, currency: 'CNY', zone: 'UTC' };
    this.#program = { kind: 'program', keyId: 'k', home: this.#home, callbackUrl: null };
    this.#withdrawals = new WithdrawalSteps(runtime, this.#home, this.model, random);
  }

  next(): Step {
    this.#count++;
    const pick = (kind: ModelOrder['kind']) => {
      const found = this.model.orders.filter((order) => order.kind === kind && order.tradeNo !== '');
      return found.length > 0 ? this.#random.of(found) : undefined;
    };
    const [collection, payout, withdrawal] = [pick('collection'), pick('payout'), pick('withdrawal')];
    const choices: (() => Step)[] = [
      () => this.#collect(),
      () => this.#payOut(),
      () => this.#withdrawals.apply(`w${this.#count}`),
    ];
    choices.push(() => this.#settle());
    if (collection) {
      const pay = () => this.#pay(collection);
      choices.push(
        pay,
        pay,
        pay,
        () => this.#cancelOrFail(collection),
        () => this.#refundWhole(collection),
        () => this.#refundPart(collection),
        () => this.#refundPart(collection),
        () => this.#endRefund(collection),
        () => this.#endRefund(collection),
      );
      choices.push(() => this.#sameNumber(collection));
    }
    if (payout)
      choices.push(
        () => this.#send(payout),
        () => this.#endPayout(payout),
        () => this.#endPayout(payout),
      );
    if (payout) choices.push(() => this.#twin(payout));
    if (withdrawal)
      choices.push(
        () => this.#withdrawals.review(withdrawal),
        () => this.#withdrawals.review(withdrawal),
      );
    return this.#random.of(choices)();
  }

  #collect(): Step {
    const amountMinor = BigInt(this.#random.between(1, maxAmountMinor));
    const hasChannel = this.#random.percent(80);
    const order = this.model.add({ kind: 'collection', number: `c${this.#count}`, amountMinor, hasChannel });
    return {
      name: `collect ${text(amountMinor)}`,
      expected: 'done',
      act: () => this.#create(order, amountMinor),
    };
  }

  async #create(order: ModelOrder, amountMinor: bigint): Promise<void> {
    const { tradeNo } = await this.#runtime.services.collections.create(this.#home, {
      out_trade_no: order.number,
      amount: text(amountMinor),
      currency: 'CNY',
      ...(order.hasChannel && { channel: 'CN_BANK' }),
    });
    order.tradeNo = tradeNo;
  }

  /** Repeats an order number: returns the same order, or is refused if the amount differs. */
  #sameNumber(order: ModelOrder): Step {
    const isSame = this.#random.percent(50);
    const amountMinor = isSame ? order.amountMinor : order.amountMinor + 1n;
    const expected = isSame ? 'done' : 'out_trade_no_used';
    return { name: `${order.number} again`, expected, act: () => this.#create(order, amountMinor) };
  }

  /** Reports a first or repeated payment in the bank's name; a report with a wrong amount has no effect. */
  #pay(order: ModelOrder): Step {
    const isRight = this.#random.percent(80) && order.hasChannel;
    if (isRight) this.model.pay(order);
    const amountMinor = isRight ? order.amountMinor : order.amountMinor + 100n;
    return {
      name: `${order.number} paid`,
      expected: 'done',
      act: () => this.#report(order, 'paid', amountMinor),
    };
  }

  #report(
    { tradeNo: reference }: ModelOrder,
    status: 'paid' | 'refused',
    amountMinor: bigint,
  ): Promise<void> {
    const result = {
      reference,
      status,
      amountMinor,
      currency: 'CNY',
      bankReference: 'b',
      reason: null,
    } as const;
    return this.#runtime.services.collections.report(result);
  }

  #cancelOrFail(order: ModelOrder): Step {
    if (!order.hasChannel && this.#random.percent(50)) {
      const act = () =>
        this.#runtime.services.collections.cancel(order.tradeNo, { caller: this.#program, request });
      return { name: `${order.number} cancelled`, expected: this.model.cancel(order), act };
    }
    if (order.status === 'toBePaid') order.status = 'failed';
    const act = () => this.#report(order, 'refused', order.amountMinor);
    return { name: `${order.number} refused`, expected: 'done', act };
  }

  #refundWhole(order: ModelOrder): Step {
    const act = () =>
      this.#runtime.services.refunds.requestWhole(this.#program, request, { tradeNo: order.tradeNo });
    return { name: `${order.number} refunded`, expected: this.model.refundWhole(order), act };
  }

  /** Refunds a part, which may exceed what is left. */
  #refundPart(order: ModelOrder): Step {
    const amountMinor = BigInt(this.#random.between(1, Number(order.amountMinor)));
    const body = {
      out_refund_no: `r${this.#count}`,
      trade_no: order.tradeNo,
      amount: text(amountMinor),
    };
    const act = () => this.#runtime.services.refunds.create(this.#program, request, { body });
    return {
      name: `${order.number} less ${body.amount}`,
      expected: this.model.refund(order, amountMinor),
      act,
    };
  }

  /** Reports how a refund under way ended, in the bank's name. Later reports of the same refund have no effect. */
  #endRefund(order: ModelOrder): Step {
    const at = order.refunds.findIndex(({ state }) => state === 'processing');
    const refund = order.refunds[at];
    if (!refund) return this.#refundPart(order);
    const status = this.#random.percent(70) ? 'refunded' : 'refused';
    this.model.endRefund(order, refund, status === 'refunded' ? 'refunded' : 'failed');
    const refundNo = `${order.tradeNo}-R${at + 1}`;
    const report = { status, reason: null, bankReference: null } as const;
    const act = async () => {
      for (const again of [report, { ...report, status: 'refused' } as const])
        await this.#runtime.services.refundDispatch.report(this.#merchant.id, refundNo, again);
    };
    return { name: `${refundNo} ${status}`, expected: 'done', act };
  }

  #settle(): Step {
    this.model.settle();
    const act = () =>
      this.#runtime.services.settlements.runNow(this.#merchant.id, new Date(Date.now() + 1000));
    return { name: 'settle', expected: 'done', act };
  }

  #payOut(): Step {
    const amountMinor = BigInt(this.#random.between(100, maxAmountMinor));
    const order = this.model.add({
      kind: 'payout',
      number: `p${this.#count}`,
      amountMinor,
      hasChannel: true,
    });
    const expected = this.model.hold(amountMinor + order.feeMinor);
    if (expected !== 'done') this.model.orders.pop();
    const act = () => this.#createPayout(order, order.number);
    return { name: `pay out ${text(amountMinor)}`, expected, act };
  }

  async #createPayout(order: ModelOrder, number: string): Promise<void> {
    const { tradeNo } = await this.#runtime.services.payouts.create(this.#program, request, {
      out_trade_no: number,
      amount: text(order.amountMinor),
      currency: 'CNY',
      channel: 'CN_BANK',
      payee: 'A',
      payeeAccount: `95588012${order.number.slice(1).padStart(8, '0')}`,
      bank: 'ICBC',
      bankName: 'ICBC',
    });
    order.tradeNo = tradeNo;
  }

  /** Repeats a payout: the same amount to the same account under another number. */
  #twin(order: ModelOrder): Step {
    if (order.status === 'rejected') return this.#payOut();
    const expected = order.status === 'pendingSettlement' ? 'similar_payout_unknown' : 'similar_payout';
    return {
      name: `${order.number} a second time`,
      expected,
      act: () => this.#createPayout(order, `t${this.#count}`),
    };
  }

  #send(order: ModelOrder): Step {
    const isFirst = order.status === 'pending';
    if (isFirst) order.status = 'pendingSettlement';
    else if (order.status === 'pendingSettlement') order.status = 'processing';
    const act = () =>
      this.#runtime.services.database.asMerchant(this.#merchant.id, async (tx) => {
        const held = await lockPayout(tx, order.tradeNo);
        if (!held) throw new Error(`payout ${order.tradeNo} does not exist`);
        await (isFirst ? markSent(tx, held) : markAccepted(tx, held));
      });
    return { name: `${order.number} ${isFirst ? 'sent' : 'accepted'}`, expected: 'done', act };
  }

  #endPayout(order: ModelOrder): Step {
    const status = this.#random.of(['paid', 'refused'] as const);
    const isSent = ['pendingSettlement', 'processing'].includes(order.status);
    if (status === 'paid' && isSent) this.model.release(order, 'processed', true);
    if (status === 'refused' && (isSent || order.status === 'pending'))
      this.model.release(order, 'rejected', false);
    const result = { reference: order.tradeNo, status, bankReference: 'b', reason: null };
    return {
      name: `${order.number} ${status}`,
      expected: 'done',
      act: () => this.#runtime.services.payouts.report(result),
    };
  }
}
