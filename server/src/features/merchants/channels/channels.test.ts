import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { EventStream } from '../../../testing/event-stream.ts';
import { TestProduct } from '../../../testing/test-product.ts';
import { TestStaff } from '../../../testing/test-staff.ts';
import type { Visitor } from '../../../testing/visitor.ts';

const path = '/api/staff/channels';

let product: TestProduct;
let staff: TestStaff;
let admin: Visitor;
let support: Visitor;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  staff = await TestStaff.start(product);
  admin = await staff.member('admin', 'ADMIN');
  support = await staff.member('support', 'SUPPORT');
});
afterAll(async () => {
  await staff.close();
  await product.close();
});

const read = async (code = 'CN_BANK') =>
  (await support.get(path)).json.data.find((one: { code: string }) => one.code === code);
const audited = async () =>
  (await admin.get('/api/staff/audit-trail?action=channel.set')).json.data.rows.map(
    ({ changes, ...row }: { changes: { field: string; before: string; after: string }[] }) => ({
      ...row,
      changes: changes.map(({ field, before, after }) => `${field}: ${before} → ${after}`),
    }),
  );

it('a channel is closed for one use, at once, and opened again; both are audited with before and after', async () => {
  expect((await read()).uses).toMatchObject({ collection: { isOpen: true }, payout: { isOpen: true } });
  const stream = await EventStream.open(staff.url, support, '', '/api/staff/events');
  expect((await admin.send('PUT', `${path}/CN_BANK/payout`, { isOpen: false })).status).toBe(204);
  expect((await stream.next()).topics).toEqual(['service']);
  await stream.cancel();
  expect((await read()).uses).toMatchObject({ collection: { isOpen: true }, payout: { isOpen: false } });
  const rows = await product.admin().listChannels();
  expect(rows.find(({ code }) => code === 'CN_BANK')).toMatchObject({
    collectionOpen: true,
    payoutOpen: false,
  });
  await admin.send('PUT', `${path}/CN_BANK/payout`, { isOpen: true });
  expect((await read()).uses.payout.isOpen).toBe(true);
  expect(await audited()).toMatchObject([
    { subject: 'CN_BANK', merchant: null, actorName: 'admin', changes: ['payout: false → true'] },
    { subject: 'CN_BANK', merchant: null, actorName: 'admin', changes: ['payout: true → false'] },
  ]);
});

it('two who change both uses at once lose neither change', async () => {
  await Promise.all([
    admin.send('PUT', `${path}/VN_NAPAS/payout`, { isOpen: false }),
    admin.send('PUT', `${path}/VN_NAPAS/collection`, { isOpen: false }),
  ]);
  expect((await read('VN_NAPAS')).uses).toMatchObject({
    collection: { isOpen: false },
    payout: { isOpen: false },
  });
});

it('nobody but administrators changes one, and no other channel exists', async () => {
  for (const role of ['REVIEWER', 'FINANCE', 'SUPPORT'] as const) {
    const other = await staff.member(`other-${role.toLowerCase()}`, role);
    const { status } = await other.send('PUT', `${path}/CN_BANK/payout`, { isOpen: false });
    expect([role, status]).toEqual([role, 403]);
  }
  expect((await read()).uses.payout.isOpen).toBe(true);
  expect((await admin.send('PUT', `${path}/XX_BANK/payout`, { isOpen: true })).status).toBe(404);
  expect((await admin.send('PUT', `${path}/CN_BANK/refund`, { isOpen: true })).status).toBe(404);
  expect((await admin.send('PUT', `${path}/CN_BANK/payout`, { isOpen: true, adapter: 'x' })).status).toBe(
    422,
  );
});
