import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { EventStream } from '../../testing/event-stream.ts';
import { type TestMerchant, TestProduct, testPassword } from '../../testing/test-product.ts';
import { until } from '../../testing/until.ts';
import type { Visitor } from '../../testing/visitor.ts';

let product: TestProduct;
let merchant: TestMerchant;
let visitor: Visitor;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  merchant = await product.merchant('listed');
  visitor = await product.person(merchant);
});
afterAll(() => product.close());

const path = '/api/merchant/ip-address';

it('replaces the whitelist once the password is confirmed, effective from the next call', async () => {
  expect((await visitor.get(path)).json.data.addresses).toEqual(['127.0.0.1']);
  const lines = '203.0.113.7\n\n2001:db8::/32\n203.0.113.7/32';
  expect((await visitor.send('PUT', path, { addresses: lines })).status).toBe(423);
  await visitor.post('/api/user/confirm-password', { password: testPassword });
  expect((await merchant.program.create('before')).status).toBe(201);
  expect((await visitor.send('PUT', path, { addresses: lines, confirmClosed: true })).status).toBe(200);
  expect((await visitor.get(path)).json.data.addresses).toEqual(['203.0.113.7', '2001:db8::/32']);
  expect((await merchant.program.create('after')).json.code).toBe('address_not_allowed');
  expect((await visitor.send('PUT', path, { addresses: '127.0.0.0/8' })).status).toBe(200);
  expect((await merchant.program.create('after')).status).toBe(201);
});

it('tells open screens of a new list, and of other settings of the key', async () => {
  const stream = await EventStream.open(product.url, visitor);
  expect((await visitor.send('PUT', path, { addresses: '127.0.0.0/8' })).status).toBe(200);
  expect((await stream.next()).topics).toContain('approvals');
  const key = { callbackUrl: '', note: 'Shop', isEnabled: 'on' };
  expect((await visitor.send('PUT', '/api/merchant/access-key/update', key)).status).toBe(200);
  expect((await stream.next()).topics).toContain('approvals');
  await stream.cancel();
});

it('keeps a colleague’s list from whoever has not seen it', async () => {
  const { addresses, version } = (await visitor.get(path)).json.data;
  const lines = [...addresses, '203.0.113.9'].join('\n');
  expect((await visitor.send('PUT', path, { addresses: lines, version })).status).toBe(200);
  const stale = await visitor.send('PUT', path, { addresses: '127.0.0.0/7', confirmOpen: true, version });
  expect([stale.status, stale.json.code]).toEqual([409, 'conflict']);
  const now = (await visitor.get(path)).json.data.version;
  expect((await visitor.send('PUT', path, { addresses: '127.0.0.0/8', version: now })).status).toBe(200);
});

it('tells open screens of a list that an operator has set', async () => {
  const stream = await EventStream.open(product.url, visitor);
  await product.admin().setAllowedAddresses(merchant.id, ['127.0.0.0/8', '192.0.2.0/24']);
  expect((await stream.next()).topics).toContain('approvals');
  await product.admin().setAllowedAddresses(merchant.id, ['127.0.0.0/8']);
  await stream.cancel();
});

it('names each line that is not an address', async () => {
  const { status, json } = await visitor.send('PUT', path, { addresses: 'here\n127.0.0.1\n1.2.3' });
  expect(status).toBe(422);
  expect(json.errors.addresses).toEqual([
    'Line 1 is not an IP address or a CIDR block: here',
    'Line 3 is not an IP address or a CIDR block: 1.2.3',
  ]);
  expect((await visitor.get(path)).json.data.addresses).toEqual(['127.0.0.0/8']);
});

it.each(['', ' \n\t\n'])('refuses an empty list (%j), and previews none', async (addresses) => {
  for (const answer of [
    await visitor.send('PUT', path, { addresses }),
    await visitor.post(`${path}/preview`, { addresses }),
  ]) {
    expect(answer.status).toBe(422);
    expect(answer.json.errors).toEqual({ addresses: ['Please enter IP whitelist.'] });
  }
  expect((await visitor.get(path)).json.data.addresses).toEqual(['127.0.0.0/8']);
});

it('previews the effect of a list without saving it', async () => {
  const preview = async (addresses: string) =>
    (await visitor.post(`${path}/preview`, { addresses })).json.data;
  const seen = await until(
    () => preview('127.0.0.1'),
    (data) => data.calls.length > 0,
    10_000,
  );
  expect(seen.yours).toEqual({ address: '127.0.0.1', isAllowed: true });
  expect(seen.calls).toEqual([{ address: '127.0.0.1', count: expect.any(Number), isAllowed: true }]);
  const closed = await preview('203.0.113.7');
  expect([closed.yours.isAllowed, closed.calls[0].isAllowed]).toEqual([false, false]);
  expect((await visitor.get(path)).json.data.addresses).toEqual(['127.0.0.0/8']);
});

describe('a list that allows much of the internet', () => {
  const open = '203.0.113.7\n0.0.0.0/0';
  const put = (body: object) => visitor.send('PUT', path, body);

  it('is saved only with confirmation', async () => {
    const before = (await visitor.get(path)).json.data.addresses;
    for (const body of [{ addresses: open }, { addresses: open, confirmOpen: false }]) {
      const { status, json } = await put(body);
      expect([status, json.code]).toEqual([409, 'whitelist_open']);
      expect(json.message).toContain('0.0.0.0/0');
      expect(json.message).not.toContain('203.0.113.7');
    }
    expect((await visitor.get(path)).json.data.addresses).toEqual(before);
    expect((await put({ addresses: open, confirmOpen: 'yes' })).status).toBe(422);
    expect((await put({ addresses: open, confirmOpen: true })).status).toBe(200);
    expect((await visitor.get(path)).json.data.addresses).toEqual(['203.0.113.7', '0.0.0.0/0']);
    expect((await put({ addresses: '127.0.0.0/8' })).status).toBe(200);
  });

  it('needs confirmation from operators, too', async () => {
    const admin = product.admin();
    const refused = expect.objectContaining({ code: 'whitelist_open' });
    await expect(admin.setAllowedAddresses(merchant.id, ['::/0'])).rejects.toEqual(refused);
    await admin.setAllowedAddresses(merchant.id, ['::/0'], { confirmOpen: true, confirmClosed: true });
    expect((await visitor.get(path)).json.data.addresses).toEqual(['::/0']);
    await admin.setAllowedAddresses(merchant.id, ['127.0.0.0/8']);
  });
});

describe('a list that stops the merchant’s systems', () => {
  const put = (body: object) => visitor.send('PUT', path, body);
  const saved = async () => (await visitor.get(path)).json.data.addresses;

  it('is saved only with confirmation if it blocks every caller of the last week', async () => {
    const outside = '203.0.113.7\n2001:db8::/32';
    const body = { addresses: outside };
    for (const refused of [body, { ...body, confirmClosed: false }, { ...body, confirmOpen: true }]) {
      const { status, json } = await put(refused);
      expect([status, json.code]).toEqual([409, 'whitelist_excludes']);
      expect(json.message).toContain('127.0.0.1');
    }
    expect(await saved()).toEqual(['127.0.0.0/8']);
    expect((await put({ ...body, confirmClosed: 'yes' })).status).toBe(422);
    expect((await put({ ...body, confirmClosed: true })).status).toBe(200);
    expect(await saved()).toEqual(['203.0.113.7', '2001:db8::/32']);
    // One caller of the last week suffices.
    expect((await put({ addresses: `${outside}\n127.0.0.1` })).status).toBe(200);
  });

  it('is never saved empty, whatever is confirmed', async () => {
    for (const body of [{ addresses: ' \n' }, { addresses: '', confirmClosed: true, confirmOpen: true }]) {
      const { status, json } = await put(body);
      expect([status, json.errors]).toEqual([422, { addresses: ['Please enter IP whitelist.'] }]);
    }
    expect(await saved()).toHaveLength(3);
    expect((await put({ addresses: '127.0.0.0/8' })).status).toBe(200);
  });

  it('needs both confirmations if it also allows much of the internet', async () => {
    expect((await put({ addresses: '::/0' })).json.code).toBe('whitelist_open');
    expect((await put({ addresses: '::/0', confirmClosed: true })).json.code).toBe('whitelist_open');
    expect((await put({ addresses: '::/0', confirmOpen: true })).json.code).toBe('whitelist_excludes');
    expect(await saved()).toEqual(['127.0.0.0/8']);
  });

  it('needs no confirmation for a merchant that has never called, unless it is empty', async () => {
    const admin = product.admin();
    const quiet = await product.merchant('quiet');
    await admin.setAllowedAddresses(quiet.id, ['203.0.113.7/32']);
    const empty = expect.objectContaining({ code: 'whitelist_empty' });
    await expect(admin.setAllowedAddresses(quiet.id, [])).rejects.toEqual(empty);
    const excludes = expect.objectContaining({ code: 'whitelist_excludes' });
    await expect(admin.setAllowedAddresses(merchant.id, ['203.0.113.7/32'])).rejects.toEqual(excludes);
    await admin.setAllowedAddresses(merchant.id, [], { confirmClosed: true });
    expect(await saved()).toEqual([]);
    await admin.setAllowedAddresses(merchant.id, ['127.0.0.0/8']);
  });
});

it('reads an IPv4-mapped block as IPv4, and refuses a wider one', async () => {
  const { status, json } = await visitor.send('PUT', path, { addresses: '::ffff:10.0.0.0/8' });
  expect([status, Object.keys(json.errors)]).toEqual([422, ['addresses']]);
  const mapped = '::ffff:10.0.0.0/104\n::ffff:192.0.2.1';
  expect((await visitor.send('PUT', path, { addresses: mapped, confirmClosed: true })).status).toBe(200);
  expect((await visitor.get(path)).json.data.addresses).toEqual(['10.0.0.0/8', '192.0.2.1']);
});
