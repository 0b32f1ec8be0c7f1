import { randomBytes } from 'node:crypto';
import { type StaffRole, staffPermsOf } from '@hengfu/contract/staff/permissions';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { TestProduct } from '../../testing/test-product.ts';
import { TestStaff } from '../../testing/test-staff.ts';
import type { Visitor } from '../../testing/visitor.ts';

const paymentPassword = '888888';
const operator = 'operator:mallory';
const people: readonly (readonly StaffRole[])[] = [
  ['ADMIN'],
  ['FINANCE'],
  ['FINANCE', 'REVIEWER'],
  ['REVIEWER'],
  ['SUPPORT'],
];

let product: TestProduct;
let staff: TestStaff;
let merchant: Visitor;
const members: Visitor[] = [];

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), { bank: true });
  await product.services.withdrawalTerms.setRate('CNY', '7.15', operator);
  staff = await TestStaff.start(product, { env: { FOUR_EYES_FROM: '20' } });
  for (const [index, roles] of people.entries()) members.push(await staff.member(`person${index}`, ...roles));
  const made = await product.merchant('prey');
  await product.fund(made, '900000.00');
  const terms = { feeUsdtMinor: 0n, freePerDay: 0, minimumUsdtMinor: 10_000_000n };
  await product.services.withdrawalTerms.setTerms(made.id, terms, operator);
  merchant = await product.person(made);
  await merchant.post('/api/user/confirm-password', { password: 'Test-pass-2026' });
  const set = { payment_password: paymentPassword, payment_password_confirmation: paymentPassword };
  await merchant.send('PUT', '/api/merchant/payment-password', set);
});
afterAll(async () => {
  expect(await product.violations()).toEqual([]);
  expect(await product.deadlocks()).toBe(0);
  await staff.close();
  await product.close();
});

interface Attempt {
  action: 'approveOrder' | 'pay' | 'command' | 'agree' | 'refuse' | 'withdraw' | 'disable' | 'enable';
  who: number;
  order: number;
  /** Sent beside the one before. */
  isBeside: boolean;
}

const attempt: fc.Arbitrary<Attempt> = fc.record({
  action: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom('pay', 'agree') },
    fc.constantFrom('approveOrder', 'command', 'refuse', 'withdraw', 'disable', 'enable'),
  ) as fc.Arbitrary<Attempt['action']>,
  who: fc.nat(people.length - 1),
  order: fc.nat(2),
  isBeside: fc.boolean(),
});

const reviews = '/api/staff/withdrawal-reviews';
const requests = '/api/staff/requests';

/** Takes one step; whatever is refused is refused. */
async function take({ action, who, order: at }: Attempt, orders: readonly string[]): Promise<void> {
  const visitor = members[who];
  const no = orders[at];
  if (!visitor || !no) throw new Error('no such person or order');
  const requestId = async () => {
    const { rows } = await staff.runtime.database.asSystem((tx) =>
      sql<{
        id: bigint;
      }>`select id from staff_request where subject = ${no} order by id desc limit 1`.execute(tx.query),
    );
    return rows[0]?.id ?? 1n;
  };
  const transactionId = randomBytes(32).toString('hex');
  const { accounts, services } = staff.runtime;
  // An administrator stays, so that somebody could always approve.
  const isStaying = who === 0;
  switch (action) {
    case 'approveOrder':
      await visitor.post(`${reviews}/${no}/approve`);
      return;
    case 'pay':
      await visitor.post(`${reviews}/${no}/pay`, { transactionId });
      return;
    case 'command':
      await services.withdrawalPayments.pay(no, operator, transactionId).catch(() => undefined);
      return;
    case 'agree':
      await visitor.post(`${requests}/${await requestId()}/approve`, {});
      return;
    case 'refuse':
      await visitor.post(`${requests}/${await requestId()}/refuse`, { reason: 'no' });
      return;
    case 'withdraw':
      await visitor.post(`${requests}/${await requestId()}/withdraw`);
      return;
    case 'disable':
    case 'enable':
      if (!isStaying)
        await accounts
          .setDisabled(`person${who}@staff.test`, action === 'disable', operator)
          .catch(() => undefined);
  }
}

/** Every payment of the orders, with who asked for it and who agreed, and the roles that both had then. */
async function readPayments(orders: readonly string[]) {
  const { rows } = await product.services.database.asSystem((tx) =>
    sql<{
      no: string;
      transfers: bigint;
      asked: string[];
      agreed: string[];
      askers: StaffRole[][];
      agreeing: StaffRole[][];
    }>`
    select w.trade_no as no,
      (select count(*) from ledger_transfer t where t.subject_no = w.trade_no and t.type = 'withdrawal_payment') as transfers,
      array(select a.actor from audit a where a.subject = w.trade_no and a.action = 'staff_request.ask' order by a.id desc limit 1) as asked,
      array(select a.actor from audit a where a.subject = w.trade_no and a.action = 'staff_request.approve') as agreed,
      coalesce((select jsonb_agg(to_jsonb(a.roles)) from audit a where a.subject = w.trade_no and a.action = 'staff_request.ask'
        and a.actor like 'staff:%'), '[]') as askers,
      coalesce((select jsonb_agg(to_jsonb(a.roles)) from audit a where a.subject = w.trade_no and a.action = 'staff_request.approve'), '[]')
        as agreeing
    from withdrawal w where w.trade_no = any (${[...orders]}) and w.status = 'paid'`.execute(tx.query),
  );
  return rows;
}

it('nobody alone has a withdrawal above the amount paid, whatever the staff and a command try', async () => {
  let paid = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(attempt, { minLength: 10, maxLength: 40 }), async (attempts) => {
      const orders: string[] = [];
      for (let count = 0; count < 3; count++) {
        const body = {
          amount: '20',
          unit: 'usdt',
          network: 'TRC20',
          address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
        };
        const { json } = await merchant.post('/api/merchant/withdrawals', {
          ...body,
          payment_password: paymentPassword,
        });
        orders.push(json.data.trade_no);
        if (count > 0) await members[0]?.post(`${reviews}/${json.data.trade_no}/approve`);
      }
      const open: Promise<void>[] = [];
      for (const each of attempts) {
        if (!each.isBeside) await Promise.all(open.splice(0));
        open.push(take(each, orders));
      }
      await Promise.all(open);
      for (const { transfers, asked, agreed, askers, agreeing } of await readPayments(orders)) {
        paid++;
        expect(transfers).toBe(1n);
        expect(agreed).toHaveLength(1);
        expect(asked).not.toEqual(agreed);
        for (const roles of [...askers, ...agreeing])
          expect(staffPermsOf(roles)).toContain('withdrawalReviews.pay');
      }
      for (const index of people.keys())
        await staff.runtime.accounts
          .setDisabled(`person${index}@staff.test`, false, operator)
          .catch(() => undefined);
      for (const [index, roles] of people.entries())
        if ((await members[index]?.get('/api/staff/user'))?.status !== 200)
          members[index] = await signInAgain(index, roles);
    }),
    { numRuns: 12, endOnFailure: true },
  );
  // The people do get something done.
  expect(paid).toBeGreaterThan(0);
}, 240_000);

let extra = 0;
/** Signs a person in again whom an attempt has signed out; a new person with the same roles takes the place of one who is disabled. */
async function signInAgain(index: number, roles: readonly StaffRole[]): Promise<Visitor> {
  const password = await staff.runtime.accounts.resetFactor(`person${index}@staff.test`, operator);
  const visitor = staff.visitor();
  const { status } = await staff.signIn(visitor, `person${index}`, password);
  return status === 200 ? visitor : staff.member(`more${++extra}`, ...roles);
}
