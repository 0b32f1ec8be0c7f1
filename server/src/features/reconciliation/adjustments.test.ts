import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { StatementDesk } from '../../testing/statement-desk.ts';
import { type TestMerchant, TestProduct } from '../../testing/test-product.ts';
import { TestStaff } from '../../testing/test-staff.ts';
import type { Visitor } from '../../testing/visitor.ts';

let product: TestProduct;
let staff: TestStaff;
let finance: Visitor;
let desk: StatementDesk;
let merchant: TestMerchant;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  staff = await TestStaff.start(product);
  finance = await staff.member('finance', 'FINANCE');
  desk = new StatementDesk(product, staff, finance);
  await desk.saveMapping('CN_BANK');
  await product.monthsSince(Date.now() - 70 * 86_400_000);
});
afterAll(async () => {
  expect(await product.deadlocks()).toBe(0);
  await staff.close();
  await product.close();
});

let merchants = 0;
/** A merchant without entries: those of an account never go back in time. */
const newMerchant = async () => {
  merchant = await product.merchant(`bank${++merchants}`);
  return merchant;
};
describe('an adjustment', () => {
  const clearing = async () => {
    const { rows } = await product.services.database.asSystem((tx) =>
      sql<{ kind: string; balance: bigint }>`
        select kind, balance_minor as balance from ledger_account
        where merchant_id = ${merchant.id} and kind in ('clearing', 'adjustments') order by kind`.execute(
        tx.query,
      ),
    );
    return rows.map(({ kind, balance }) => `${kind} ${balance}`);
  };
  const ask = (by: Visitor, id: string | undefined, body: object) =>
    by.post(`/api/staff/reconciliation/differences/${id}/adjust`, body);

  it('is not asked for while the day runs: the channel may still report the movement', async () => {
    const today = desk.today();
    const [late] = await desk.move(await newMerchant(), today, [900n]);
    await desk.upload(today, [[late, 901n]]);
    const [difference] = await desk.differences(today);
    expect((await ask(finance, difference?.id, { note: 'Early.' })).json.code).toBe('day_running');
    expect(await desk.differences(today)).toMatchObject([{ state: 'open' }]);
    expect(await clearing()).toEqual(['clearing -900']);
  });

  it('is posted once a second person agrees, and then belongs to the day for good', async () => {
    const second = await staff.member('second', 'FINANCE');
    const day = desk.nextDay();
    const [wrong] = await desk.move(await newMerchant(), day, [3000n]);
    await desk.upload(day, [[wrong, 3001n]]);
    const [difference] = await desk.differences(day);
    const { request } = (await ask(finance, difference?.id, { note: 'The bank kept the cent.' })).json.data;
    expect((await ask(finance, difference?.id, { note: 'Again.' })).json.code).toBe('request_waiting');
    const shown = (await second.get(`/api/staff/requests/${request}`)).json.data;
    expect(shown).toMatchObject({
      kind: 'adjustment',
      merchant: { code: merchant.code },
      reason: 'The bank kept the cent.',
    });
    expect(shown.facts).toContainEqual({ name: 'amount', before: null, after: '0.01 CNY' });
    expect(await desk.differences(day)).toMatchObject([{ state: 'waiting' }]);
    expect(await clearing()).toEqual(['clearing -3000']);
    expect((await finance.post(`/api/staff/requests/${request}/approve`, {})).json.code).toBe('own_request');
    expect((await second.post(`/api/staff/requests/${request}/approve`, {})).json.data.state).toBe(
      'approved',
    );
    expect(await clearing()).toEqual(['adjustments 1', 'clearing -3001']);
    expect(await desk.differences(day)).toMatchObject([{ state: 'adjusted', decidedBy: 'second' }]);
    // The posting is no movement of the channel, so the day it is made on does not have it.
    const refused = [
      await ask(finance, difference?.id, { note: 'Twice.' }),
      await finance.post(`/api/staff/reconciliation/differences/${difference?.id}/explain`, { note: 'No.' }),
      await finance.send('DELETE', `${desk.path(day)}/statement`),
    ];
    expect(refused.map(({ json }) => json.code)).toEqual([
      'invalid_transition',
      'invalid_transition',
      'statement_adjusted',
    ]);
    await finance.post(`${desk.path(day)}/match`);
    expect(await desk.differences(day)).toMatchObject([{ state: 'adjusted' }]);
    expect((await finance.post(`${desk.path(day)}/close`)).json.data.state).toBe('closed');
  });

  it('needs a merchant where no order is known, and is refused if something has changed since', async () => {
    const admin = await staff.member('admin', 'ADMIN');
    const day = desk.nextDay();
    await newMerchant();
    await desk.upload(day, [
      ['UNKNOWN-1', 500n],
      ['UNKNOWN-2', -700n],
    ]);
    const [one, other] = await desk.differences(day);
    for (const code of [undefined, 'nobody'])
      expect((await ask(finance, one?.id, { note: 'A gift.', merchant: code })).json.errors).toHaveProperty(
        'merchant',
      );
    const body = { note: 'A gift.', merchant: merchant.code };
    const requests = [
      (await ask(finance, one?.id, body)).json.data.request,
      (await ask(finance, other?.id, body)).json.data.request,
    ];
    expect((await admin.post(`/api/staff/requests/${requests[0]}/approve`, {})).status).toBe(200);
    expect(await clearing()).toEqual(['adjustments 500', 'clearing -500']);
    await finance.post(`/api/staff/reconciliation/differences/${other?.id}/explain`, { note: 'Cleared up.' });
    await staff.runtime.database.asSystem((tx) =>
      sql`update reconciliation_difference set theirs_minor = -701 where id = ${other?.id}`.execute(tx.query),
    );
    expect((await admin.post(`/api/staff/requests/${requests[1]}/approve`, {})).json.code).toBe(
      'approval_changed',
    );
    expect(await clearing()).toEqual(['adjustments 500', 'clearing -500']);
  });

  it('is not posted for a difference that was explained meanwhile, and a refused request changes nothing', async () => {
    const second = await staff.member('third', 'FINANCE');
    const day = desk.nextDay();
    const [wrong] = await desk.move(await newMerchant(), day, [4000n]);
    await desk.upload(day, [[wrong, 4002n]]);
    const [difference] = await desk.differences(day);
    const { request } = (await ask(finance, difference?.id, { note: 'The bank kept two cents.' })).json.data;
    const again = await ask(second, difference?.id, { note: 'Mine.' });
    expect(again.json.code).toBe('request_waiting');
    expect(await desk.differences(day)).toMatchObject([
      { state: 'waiting', note: 'The bank kept two cents.', decidedBy: 'finance' },
    ]);
    const path = `/api/staff/reconciliation/differences/${difference?.id}/explain`;
    expect((await finance.post(path, { note: 'The bank answered.' })).status).toBeLessThan(300);
    const approved = await second.post(`/api/staff/requests/${request}/approve`, {});
    expect(approved.json.code).toBe('approval_changed');
    expect(await clearing()).toEqual(['clearing -4000']);
    expect(await desk.differences(day)).toMatchObject([{ state: 'explained', note: 'The bank answered.' }]);
    // It waits again, but for something else.
    const wait = `/api/staff/reconciliation/differences/${difference?.id}/wait`;
    expect((await finance.post(wait, { note: 'The bank looks again.' })).status).toBeLessThan(300);
    const late = await second.post(`/api/staff/requests/${request}/approve`, {});
    expect(late.json.code).toBe('approval_changed');
    expect(await clearing()).toEqual(['clearing -4000']);
  });

  it('is not for what only differs by the day', async () => {
    const [day, next] = [desk.nextDay(), desk.nextDay()];
    const [late] = await desk.move(await newMerchant(), day, [1000n]);
    await desk.upload(day, []);
    await desk.upload(next, [[late, 1000n]]);
    const [difference] = await desk.differences(next);
    expect((await ask(finance, difference?.id, { note: 'No.' })).json.code).toBe('invalid_transition');
  });
});
