import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type Colleague, type Office, openOffice, payoutRule } from '../../testing/approving-office.ts';
import { isFullRun } from '../../testing/full-run.ts';
import { TestProduct } from '../../testing/test-product.ts';
import { until } from '../../testing/until.ts';

let product: TestProduct;
let offices = 0;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), {
    bank: true,
    worker: true,
  });
});
afterAll(async () => {
  expect(await product.violations()).toEqual([]);
  expect(await product.deadlocks()).toBe(0);
  await product.close();
});

const batchRule = (amount: string, approvers = 1) => payoutRule(amount, approvers, { kind: 'batch' });
/** Batches from 300.00 on need approval. */
const office = (rules = [batchRule('300.00')], funds = '10000.00') =>
  openOffice(product, `batchoffice${++offices}`, { rules, funds });
const row = (index: number, more: object = {}) => ({
  payee: '王芳',
  payeeAccount: `12345678${String(index).padStart(4, '0')}`,
  bank: 'ICBC',
  bankName: '中国工商银行',
  amount: '100.00',
  ...more,
});
const rowsOf = (count: number, more: object = {}) =>
  Array.from({ length: count }, (_, index) => row(index, more));
const outcome = ({ status, json }: { status: number; json: { code?: string } }) => [status, json.code];

/** Submits a batch and awaits that all of its rows have become payouts. */
async function waiting({ clerk }: Office, rows = rowsOf(3)) {
  const made = await clerk.payBatch(rows);
  expect(made.status).toBe(201);
  const { batch_no: batchNo, approvalState } = made.json.data;
  await until(
    () => clerk.batch(batchNo),
    ({ finishedAt }) => finishedAt !== null,
    60_000,
  );
  return { batchNo, approvalState, requestNo: await clerk.requestOf(batchNo) };
}
/** Awaits that every payout of a batch has ended; returns how many by status. */
async function ended(clerk: Colleague, batchNo: string, count: number): Promise<Record<string, number>> {
  const { payouts } = await until(
    () => clerk.batch(batchNo),
    ({ payouts: { processed = 0, rejected = 0 } }) => processed + rejected === count,
    60_000,
  );
  return payouts;
}
const expire = async ({ merchant }: Office, requestNo: string) => {
  await product.services.database.asSystemFor(merchant.id, (tx) =>
    sql`update approval_request set expires_at = now() - interval '1 millisecond'
      where merchant_id = ${merchant.id} and request_no = ${requestNo}`.execute(tx.query),
  );
  await product.services.approvals.expire();
};

describe('a batch that a rule covers', () => {
  it('locks its funds, waits as a whole, and is paid once it is approved', async () => {
    const made = await office();
    const { clerk, approvers } = made;
    const { batchNo, approvalState, requestNo } = await waiting(made);
    expect(approvalState).toBe('waiting');
    expect(await clerk.funds()).toEqual(['9639.40', '300.60']);
    expect(await approvers[0].waitingForMe()).toEqual([requestNo]);
    expect(await approvers[0].request(requestNo)).toMatchObject({
      kind: 'batch',
      subject_no: batchNo,
      amount: '300.00',
      target: 'salaries.csv (3)',
      needed: 1,
      isForYou: true,
      marks: [{ mark: 'newAccount', before: null, after: '3' }],
      excluded: [],
    });
    const payouts = await clerk.payoutsOf(batchNo);
    expect(payouts).toMatchObject(
      [1, 2, 3].map((line) => ({ batch_line: line, status: 'pending', approvalState: 'waiting' })),
    );
    // A payout has no request of its own: its number finds that of the batch.
    expect(await clerk.requestOf(payouts[0]?.trade_no ?? '')).toBe(requestNo);
    expect((await approvers[0].approve(requestNo)).json.data.state).toBe('approved');
    expect(await ended(clerk, batchNo, 3)).toEqual({ processed: 3 });
    expect(await clerk.batch(batchNo)).toMatchObject({ approvalState: 'approved', taken: 3, failed: 0 });
    const paid = await clerk.payout(payouts[0]?.trade_no ?? '');
    expect(paid.approvalState).toBe('approved');
    expect(paid.timeline.map(({ reason }: { reason: string }) => reason).slice(0, 4)).toEqual([
      'created',
      'approval_asked',
      'approval_given',
      'sent',
    ]);
    expect(await clerk.funds()).toEqual(['9639.40', '0.00']);
  });

  it('below the amount is paid at once', async () => {
    const made = await office();
    const { batchNo, approvalState, requestNo } = await waiting(made, rowsOf(2));
    expect([approvalState, requestNo]).toEqual([null, undefined]);
    expect(await ended(made.clerk, batchNo, 2)).toEqual({ processed: 2 });
  });

  it('is paid without the rows that any of its approvers excludes', async () => {
    const made = await office([batchRule('300.00', 2)]);
    const { clerk, approvers } = made;
    const { batchNo, requestNo } = await waiting(made, rowsOf(4));
    const [first, second] = approvers;
    const excluded = [{ line: 2, reason: ' left the company ' }];
    for (const wrong of [
      [{ line: 5, reason: 'no such row' }],
      [{ line: 1, reason: ' ' }],
      [{ line: 0, reason: 'x' }],
    ])
      expect(outcome(await first.approve(requestNo, undefined, { excluded: wrong }))).toEqual([
        422,
        'validation_failed',
      ]);
    expect((await first.approve(requestNo, undefined, { excluded })).json.data.state).toBe('waiting');
    expect(await second.request(requestNo)).toMatchObject({
      approvals: 1,
      excluded: [{ line: 2, name: 'APPROVER', reason: 'left the company' }],
    });
    const more = [{ line: 4, reason: 'paid in cash' }];
    expect((await second.approve(requestNo, undefined, { excluded: more })).json.data.state).toBe('approved');
    expect(await ended(clerk, batchNo, 4)).toEqual({ processed: 2, rejected: 2 });
    const payouts = await clerk.payoutsOf(batchNo);
    expect(payouts.map(({ status, approvalState }) => [status, approvalState])).toEqual([
      ['processed', 'approved'],
      ['rejected', 'refused'],
      ['processed', 'approved'],
      ['rejected', 'refused'],
    ]);
    const { timeline } = await clerk.payout(payouts[1]?.trade_no ?? '');
    expect(timeline.at(-1)).toMatchObject({ reason: 'approval_refused', detail: 'left the company' });
    expect(await clerk.funds()).toEqual(['9739.60', '0.00']);
  });

  it('is rejected when it is refused, withdrawn, or expires, and its funds return', async () => {
    for (const end of ['refused', 'withdrawn', 'expired'] as const) {
      const made = await office();
      const { clerk, approvers } = made;
      const { batchNo, requestNo } = await waiting(made);
      if (end === 'refused') await approvers[0].refuse(requestNo, 'wrong month');
      else if (end === 'withdrawn') await clerk.withdraw(requestNo);
      else await expire(made, requestNo);
      expect(await clerk.request(requestNo)).toMatchObject({ state: end });
      expect(await ended(clerk, batchNo, 3)).toEqual({ rejected: 3 });
      expect(await clerk.batch(batchNo)).toMatchObject({ approvalState: end });
      expect(await clerk.funds()).toEqual(['9940.00', '0.00']);
      const [payout] = await clerk.payoutsOf(batchNo);
      expect(payout).toMatchObject({ approvalState: end });
      const { timeline } = await clerk.payout(payout?.trade_no ?? '');
      const detail = end === 'refused' ? 'wrong month' : null;
      expect(timeline.at(-1)).toMatchObject({ reason: `approval_${end}`, detail });
      expect(outcome(await approvers[1].approve(requestNo, []))).toEqual([409, 'invalid_transition']);
    }
  });

  it('is approved without a payout that staff has rejected', async () => {
    const made = await office();
    const { clerk, approvers } = made;
    const { batchNo, requestNo } = await waiting(made);
    const [first] = await clerk.payoutsOf(batchNo);
    const { payouts, payoutTakeUp } = product.services;
    await expect(payoutTakeUp.takeUp(first?.trade_no ?? '', 'operator:test')).rejects.toMatchObject({
      code: 'invalid_transition',
    });
    await payouts.rejectUnsent(first?.trade_no ?? '', 'operator:test', 'asked by phone');
    expect((await approvers[0].approve(requestNo)).status).toBe(200);
    expect(await ended(clerk, batchNo, 3)).toEqual({ processed: 2, rejected: 1 });
  });

  it('shows how many of its payouts something has to be known about', async () => {
    const made = await office();
    const { clerk, approvers } = made;
    const { trade_no } = (await clerk.pay('5.00', row(90).payeeAccount)).json.data;
    await until(
      () => clerk.payout(trade_no),
      ({ status }) => status === 'processed',
    );
    const { batchNo, requestNo } = await waiting(made, [...rowsOf(3), row(4, { payee: '李雷' })]);
    const changed = { mark: 'changedAccount', before: null, after: '3' } as const;
    const added = { mark: 'newAccount', before: null, after: '1' } as const;
    expect((await approvers[0].request(requestNo)).marks).toEqual([added, changed]);
    const twin = await clerk.pay('100.00', row(1).payeeAccount, { confirmSimilar: true });
    expect(twin.status).toBe(201);
    expect(outcome(await approvers[0].approve(requestNo, [added, changed]))).toEqual([
      409,
      'approval_changed',
    ]);
    expect((await approvers[0].request(requestNo)).marks).toEqual([
      added,
      changed,
      { mark: 'equalPayment', before: null, after: '1' },
    ]);
    expect((await approvers[0].approve(requestNo)).status).toBe(200);
    expect(await ended(clerk, batchNo, 4)).toEqual({ processed: 4 });
  });

  it('is approved once by two people at the same instant', async () => {
    const made = await office();
    const { batchNo, requestNo } = await waiting(made);
    const both = await Promise.all(made.approvers.map((approver) => approver.approve(requestNo)));
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(await ended(made.clerk, batchNo, 3)).toEqual({ processed: 3 });
    for (const { trade_no } of await made.clerk.payoutsOf(batchNo)) {
      const { timeline } = await made.clerk.payout(trade_no);
      const reasons = timeline.map(({ reason }: { reason: string }) => reason);
      expect(reasons.filter((reason: string) => reason === 'approval_given')).toHaveLength(1);
    }
  });
});

describe('a rule for payouts', () => {
  it('covers a batch by its total: splitting an amount over rows does not help', async () => {
    const made = await office([payoutRule('1000.00')]);
    const { clerk, approvers } = made;
    const { batchNo, requestNo } = await waiting(made, rowsOf(10));
    expect(await approvers[0].request(requestNo)).toMatchObject({ kind: 'batch', amount: '1000.00' });
    expect(await clerk.funds()).toEqual(['8938.00', '1002.00']);
    expect((await approvers[0].approve(requestNo)).status).toBe(200);
    expect(await ended(clerk, batchNo, 10)).toEqual({ processed: 10 });
  });

  it('counts what the requester has sent within a day, in payouts and in batches', async () => {
    const made = await office([payoutRule('1000.00')]);
    expect((await made.clerk.pay('500.00')).json.data.approvalState).toBeNull();
    const first = await waiting(made, rowsOf(3));
    expect(first.approvalState).toBeNull();
    const second = await waiting(
      made,
      rowsOf(2).map((each, index) => ({ ...each, amount: `101.0${index}` })),
    );
    expect(second.approvalState).toBe('waiting');
    await made.clerk.withdraw(second.requestNo);
    await ended(made.clerk, second.batchNo, 2);
  });

  it('for batches counts several batches of one requester together', async () => {
    const made = await office();
    expect((await waiting(made, rowsOf(2))).approvalState).toBeNull();
    const later = await waiting(made, [row(7, { amount: '100.01' })]);
    expect(later.approvalState).toBe('waiting');
    expect((await made.approvers[0].approve(later.requestNo)).status).toBe(200);
    await ended(made.clerk, later.batchNo, 1);
  });
});

describe('a batch that is decided while its rows become payouts', () => {
  it('cannot be approved before all of its rows can be seen; then it is paid, but for the excluded ones', async () => {
    const rows = isFullRun ? 2000 : 1000;
    const lines = [1, rows / 2, rows];
    const made = await office([batchRule('300.00')], '500000.00');
    const { clerk, approvers } = made;
    const batchNo = (await clerk.payBatch(rowsOf(rows))).json.data.batch_no;
    const requestNo = await clerk.requestOf(batchNo);
    await until(
      () => clerk.batch(batchNo),
      ({ taken }) => taken >= 200,
      60_000,
    );
    expect(outcome(await approvers[0].approve(requestNo))).toEqual([409, 'not_ready']);
    await until(
      () => clerk.batch(batchNo),
      ({ finishedAt }) => finishedAt !== null,
      120_000,
    );
    const excluded = lines.map((line) => ({ line, reason: 'not this one' }));
    expect((await approvers[0].approve(requestNo, undefined, { excluded })).json.data.state).toBe('approved');
    const batch = await until(
      () => clerk.batch(batchNo),
      ({ finishedAt, payouts: { processed = 0 } }) => finishedAt !== null && processed === rows - 3,
      120_000,
    );
    // An excluded row is a rejected payout, or never became one.
    expect(batch.failed + (batch.payouts.rejected ?? 0)).toBe(3);
    const { data } = (await clerk.visitor.get(`/api/merchant/payout-batches/${batchNo}/failed`)).json;
    for (const { line, reason } of data.rows) {
      expect(lines).toContain(line);
      expect(reason).toBe('not_approved');
    }
  }, 180_000);

  it('returns all funds if it is refused', async () => {
    const made = await office([batchRule('300.00')], '100000.00');
    const { clerk, approvers } = made;
    const before = await clerk.funds();
    const batchNo = (await clerk.payBatch(rowsOf(500))).json.data.batch_no;
    const requestNo = await clerk.requestOf(batchNo);
    await until(
      () => clerk.batch(batchNo),
      ({ taken }) => taken > 0,
    );
    expect((await approvers[0].refuse(requestNo)).status).toBe(200);
    const batch = await until(
      () => clerk.batch(batchNo),
      ({ finishedAt, taken, payouts: { rejected = 0 } }) => finishedAt !== null && rejected === taken,
      120_000,
    );
    expect(batch.taken + batch.failed).toBe(500);
    expect(await clerk.funds()).toEqual(before);
  }, 180_000);
});
