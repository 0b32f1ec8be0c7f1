import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { knowKeyLines } from '#domain/access-keys.sql.ts';
import { EventStream } from '../../testing/event-stream.ts';
import { ShopProgram } from '../../testing/shop-program.ts';
import { SoftPasskey } from '../../testing/soft-passkey.ts';
import { type TestMerchant, TestProduct, testPassword } from '../../testing/test-product.ts';
import { until } from '../../testing/until.ts';
import type { Answer } from '../../testing/visitor.ts';
import { warnTask } from './warnings/key-warnings.ts';

let product: TestProduct;
let merchants = 0;
let orders = 0;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
});
afterAll(async () => {
  expect(await product.deadlocks()).toBe(0);
  await product.close();
});

const path = '/api/merchant/access-keys';
const all = ['collections', 'refunds', 'payouts', 'balance', 'read'];
const outcome = ({ status, json }: Answer) => [status, json.code];
const run = (statement: ReturnType<typeof sql>) =>
  product.services.database.asSystem(async (tx) => {
    await sql`select ${knowKeyLines}`.execute(tx.query);
    return statement.execute(tx.query);
  });
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

interface Key {
  id: string;
  secret: string;
}

/** A person of a merchant with a passkey and a confirmed password, who makes calls that need both. */
async function manager(merchant: TestMerchant, name = 'admin') {
  const visitor = await product.person(merchant, 'MERCHANT_ADMIN', name);
  await visitor.post('/api/user/confirm-password', { password: testPassword });
  const passkey = new SoftPasskey(product.url);
  await passkey.bind(visitor);
  const proven = async (method: string, at: string, body?: object) => {
    await passkey.show(visitor);
    return visitor.send(method, at, body);
  };
  const add = (fields: object = {}) => proven('POST', path, { name: 'Website', scopes: all, ...fields });
  return { visitor, proven, add };
}

/** Creates a merchant with a key, and its administrator. */
async function admin() {
  const merchant = await product.merchant(`several${++merchants}`);
  const { visitor, proven, add } = await manager(merchant);
  const make = async (fields: object = {}): Promise<Key> => {
    const { status, json } = await add(fields);
    expect(status).toBe(201);
    return { id: json.data.keyId, secret: json.data.secret };
  };
  const list = async () => (await visitor.get(path)).json.data;
  const row = async (id: string) => (await list()).find(({ keyId }: { keyId: string }) => keyId === id);
  return { merchant, visitor, proven, add, make, list, row };
}

const program = (key: Key) => new ShopProgram(product.url, key);
/** Creates an order with a key. Returns "created", or the error code. */
async function tryKey(key: Key): Promise<string> {
  const { status, json } = await program(key).create(`order-${++orders}`);
  return status === 201 ? 'created' : json.code;
}

describe('several keys', () => {
  it('live beside each other, and the page of the single key keeps showing the first one', async () => {
    const { merchant, visitor, make, list } = await admin();
    const website = await make();
    const reports = await make({ name: 'Reports', scopes: ['read'], expiresAt: inDays(30) });
    expect(await tryKey(merchant.program.key)).toBe('created');
    expect(await tryKey(website)).toBe('created');
    const rows = await list();
    expect(rows).toMatchObject([
      {
        keyId: merchant.program.key.id,
        name: null,
        isFirst: true,
        scopes: all,
        addresses: null,
        endsAt: null,
      },
      { keyId: website.id, name: 'Website', isFirst: false, state: 'active' },
      { keyId: reports.id, name: 'Reports', isFirst: false, scopes: ['read'], lastUse: null },
    ]);
    expect(JSON.stringify(rows)).not.toContain('sk_');
    expect((await visitor.get('/api/merchant/access-key')).json.data).toMatchObject({
      keyId: merchant.program.key.id,
      older: [],
    });
  });

  it('are not touched when the first one is regenerated, which stays the first one', async () => {
    const { merchant, visitor, proven, make } = await admin();
    const other = await make();
    const { data } = (await proven('PUT', '/api/merchant/access-key/regenerate', { overlapHours: 0 })).json;
    expect(await tryKey(merchant.program.key)).toBe('signature_invalid');
    expect(await tryKey(other)).toBe('created');
    expect((await visitor.get('/api/merchant/access-key')).json.data.keyId).toBe(data.keyId);
    await proven('PUT', '/api/merchant/access-key/regenerate', { overlapHours: 24 });
    expect((await visitor.send('DELETE', '/api/merchant/access-key/older')).status).toBe(204);
    expect(await tryKey({ id: data.keyId, secret: data.secret })).toBe('signature_invalid');
    expect(await tryKey(other)).toBe('created');
  });

  it('show when, where from and for which call each was last used, without touching the key’s row', async () => {
    const { merchant, row } = await admin();
    const { key } = merchant.program;
    const version = () => run(sql`select xmin::text from access_key where key_id = ${key.id}`);
    const before = (await version()).rows;
    await tryKey(key);
    await until(
      () => row(key.id),
      ({ lastUse }) => lastUse !== null,
    );
    expect((await row(key.id)).lastUse).toEqual({
      at: expect.any(String),
      address: '127.0.0.1',
      call: 'POST /openapi/v1/collections',
    });
    expect((await version()).rows).toEqual(before);
  });

  it('are at most twenty, even if they are added at once; one that ends makes room', async () => {
    const { merchant, visitor, proven, add, make } = await admin();
    const key = await make();
    await run(sql`
      with claim as (
        insert into access_key_directory (key_id, merchant_id)
        select ${key.id} || '_' || n, ${merchant.id} from generate_series(1, 17) n returning key_id)
      insert into access_key (key_id, merchant_id, secret_encrypted) select key_id, ${merchant.id}, '' from claim`);
    const second = await manager(merchant, 'second');
    const twins = await Promise.all([add(), second.add()]);
    expect(twins.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(outcome(await add())).toEqual([429, 'quota_reached']);
    // A successor takes the place of the key before.
    const replaced = await proven('POST', `${path}/${key.id}/successor`, { overlapHours: 1 });
    expect(replaced.status).toBe(201);
    expect((await visitor.send('DELETE', `${path}/${replaced.json.data.keyId}`)).status).toBe(204);
    expect((await add()).status).toBe(201);
  });

  it.each([
    ['an unknown scope', { scopes: ['collections', 'money'] }, 'scopes.1'],
    ['no scope', { scopes: [] }, 'scopes'],
    ['no name', { name: ' ' }, 'name'],
    ['a name that is too long', { name: 'x'.repeat(61) }, 'name'],
    ['an expiry in the past', { expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
    ['an expiry in a hundred years', { expiresAt: inDays(36_500) }, 'expiresAt'],
    ['no expiry but a word', { expiresAt: 'never' }, 'expiresAt'],
    ['a wrong address', { addresses: '192.0.2.1\n192.0.2.300' }, 'addresses'],
    ['too many addresses', { addresses: '192.0.2.1\n'.repeat(51) }, 'addresses'],
    ['a callback URL of another kind', { callbackUrl: 'ftp://a.test' }, 'callbackUrl'],
  ])('are refused with %s', async (_, fields, field) => {
    const { add, list } = await admin();
    const refused = await add(fields);
    expect([refused.status, Object.keys(refused.json.errors)]).toEqual([422, [field]]);
    expect(await list()).toHaveLength(1);
  });

  it('need a second factor to be made, changed, revealed and replaced, and none to be stopped', async () => {
    const { visitor, make } = await admin();
    const key = await make();
    const body = { name: 'Website', scopes: all };
    for (const refused of [
      await visitor.post(path, body),
      await visitor.send('PUT', `${path}/${key.id}`, body),
      await visitor.get(`${path}/${key.id}/secret`),
      await visitor.post(`${path}/${key.id}/successor`, { overlapHours: 1 }),
    ])
      expect([refused.status, Object.keys(refused.json.errors)]).toEqual([422, ['code']]);
    expect((await visitor.send('PUT', `${path}/${key.id}/is-on`, { isOn: false })).status).toBe(200);
    expect(await tryKey(key)).toBe('key_disabled');
    expect((await visitor.send('PUT', `${path}/${key.id}/is-on`, { isOn: true })).status).toBe(200);
    expect(await tryKey(key)).toBe('created');
    expect((await visitor.send('DELETE', `${path}/${key.id}`)).status).toBe(204);
    expect(await tryKey(key)).toBe('signature_invalid');
    expect(outcome(await visitor.send('DELETE', `${path}/${key.id}`))).toEqual([404, 'not_found']);
  });

  it('need a second factor for another callback URL, also on the page of the single key', async () => {
    const { merchant, visitor, proven } = await admin();
    const single = '/api/merchant/access-key/update';
    const there = { callbackUrl: 'https://evil.test/', isEnabled: true };
    const unproven = await visitor.send('PUT', single, there);
    expect([unproven.status, Object.keys(unproven.json.errors)]).toEqual([422, ['code']]);
    const other = await product.person(merchant, 'MERCHANT_ADMIN', 'factorless');
    await other.post('/api/user/confirm-password', { password: testPassword });
    expect(outcome(await other.send('PUT', single, there))).toEqual([403, 'two_factor_required']);
    expect((await other.send('PUT', single, { note: 'Shop', isEnabled: true })).status).toBe(200);
    expect((await proven('PUT', single, there)).status).toBe(200);
    expect((await visitor.get('/api/merchant/access-key')).json.data.callbackUrl).toBe(there.callbackUrl);
  });

  it('of another merchant are as unknown as ones that never were', async () => {
    const { proven, visitor } = await admin();
    const theirs = (await admin()).merchant.program.key.id;
    const body = { name: 'Website', scopes: all };
    for (const id of [theirs, 'ak_nobody'])
      for (const answer of [
        await proven('PUT', `${path}/${id}`, body),
        await proven('GET', `${path}/${id}/secret`),
        await proven('POST', `${path}/${id}/successor`, { overlapHours: 0 }),
        await visitor.send('PUT', `${path}/${id}/is-on`, { isOn: false }),
        await visitor.send('DELETE', `${path}/${id}`),
      ])
        expect(outcome(answer)).toEqual([404, 'not_found']);
  });

  it('are not opened again by whoever has not seen that a colleague has narrowed them', async () => {
    const { merchant, visitor, proven, make, row } = await admin();
    const key = await make();
    const { version } = await row(key.id);
    const narrower = { name: 'Website', scopes: ['read'], addresses: '127.0.0.1' };
    expect((await proven('PUT', `${path}/${key.id}`, { ...narrower, version })).status).toBe(200);
    const renamed = { name: 'Site', scopes: all, version };
    expect(outcome(await proven('PUT', `${path}/${key.id}`, renamed))).toEqual([409, 'conflict']);
    expect(await row(key.id)).toMatchObject({ scopes: ['read'], addresses: ['127.0.0.1'] });

    const first = (await visitor.get('/api/merchant/access-key')).json.data;
    const off = { isOn: false };
    expect((await visitor.send('PUT', `${path}/${merchant.program.key.id}/is-on`, off)).status).toBe(200);
    const noted = { note: 'Shop', isEnabled: true, version: first.version };
    const single = '/api/merchant/access-key/update';
    expect(outcome(await visitor.send('PUT', single, noted))).toEqual([409, 'conflict']);
    expect(await tryKey(merchant.program.key)).toBe('key_disabled');
    const again = (await visitor.get('/api/merchant/access-key')).json.data;
    expect((await visitor.send('PUT', single, { ...noted, version: again.version })).status).toBe(200);
  });

  it('that are made or ended show on the open screens of others', async () => {
    const { visitor, make } = await admin();
    const early = await EventStream.open(product.url, visitor);
    const key = await make();
    await early.untilAbout('approvals');
    await early.cancel();
    // Changes are announced in their order: the next one is that of the key's end.
    const stream = await EventStream.open(product.url, visitor);
    expect((await visitor.send('DELETE', `${path}/${key.id}`)).status).toBe(204);
    await stream.untilAbout('approvals');
    await stream.cancel();
  });

  it('are recorded with what was before and after, without secrets', async () => {
    const { merchant, proven, make } = await admin();
    const key = await make();
    await proven('PUT', `${path}/${key.id}`, {
      name: 'Site',
      scopes: ['collections'],
      addresses: '127.0.0.1',
    });
    const { rows } = await run(sql`
      select action, before, after from audit where merchant_id = ${merchant.id} and subject = ${key.id} order by id`);
    expect(rows).toMatchObject([
      { action: 'access_key.add', after: { name: 'Website', scopes: all, addresses: null } },
      {
        action: 'access_key.update',
        before: { name: 'Website', scopes: all, addresses: null },
        after: { name: 'Site', scopes: ['collections'], addresses: ['127.0.0.1/32'] },
      },
    ]);
    expect(JSON.stringify(rows)).not.toContain(key.secret);
  });
});

describe('a key’s limits', () => {
  it('narrow the whitelist: a request must pass both lists', async () => {
    const { merchant, proven, make } = await admin();
    const key = await make({ addresses: '203.0.113.0/24' });
    expect(await tryKey(key)).toBe('key_address_not_allowed');
    await proven('PUT', `${path}/${key.id}`, { name: 'a', scopes: all, addresses: '127.0.0.0/8' });
    expect(await tryKey(key)).toBe('created');
    await product.admin().setAllowedAddresses(merchant.id, ['192.0.2.0/24'], { confirmClosed: true });
    expect(await tryKey(key)).toBe('address_not_allowed');
  });

  it('apply to the next call after a change, although the key is cached', async () => {
    const { proven, make } = await admin();
    const key = await make();
    expect(await tryKey(key)).toBe('created');
    await proven('PUT', `${path}/${key.id}`, { name: 'a', scopes: ['balance'] });
    expect(await tryKey(key)).toBe('key_scope');
    await proven('PUT', `${path}/${key.id}`, { name: 'a', scopes: ['collections'] });
    expect(await tryKey(key)).toBe('created');
  });

  it('are told apart only to whoever has the secret', async () => {
    const { make } = await admin();
    const key = await make({ expiresAt: inDays(1) });
    await run(sql`update access_key set ends_at = now() - interval '1 second' where key_id = ${key.id}`);
    expect(await tryKey(key)).toBe('key_expired');
    expect(await tryKey({ ...key, secret: 'sk_guessed' })).toBe('signature_invalid');
    expect(await tryKey({ id: 'ak_nobody', secret: 'sk_guessed' })).toBe('signature_invalid');
    await run(sql`update access_key set ends_at = null, disabled_at = now() where key_id = ${key.id}`);
    expect(await tryKey(key)).toBe('key_disabled');
    await run(sql`update access_key set revoked_at = now() where key_id = ${key.id}`);
    expect(await tryKey(key)).toBe('signature_invalid');
  });

  it('are kept from versions that do not know them: they get no key that has some', async () => {
    const { merchant, make } = await admin();
    const limited = await make({ scopes: ['read'] });
    const claim = (id: string) => sql`
      select claim_nonces(array[${merchant.id}]::bigint[], array[${id}], array[concat(k.xmin, '.', m.xmin)], array['nonce-of-old']) as said
      from access_key k join merchant m on m.id = k.merchant_id where k.key_id = ${id}`;
    expect((await run(claim(limited.id))).rows).toEqual([{ said: 'changed' }]);
    expect((await run(claim(merchant.program.key.id))).rows).toEqual([{ said: 'claimed' }]);
  });
});

describe('a successor', () => {
  it.each([1, 24, 168])('takes over, and the key before ends after %i hours', async (overlapHours) => {
    const { proven, make, row } = await admin();
    const limits = { scopes: ['collections'], addresses: '127.0.0.1', callbackUrl: 'https://a.test/cb' };
    const key = await make(limits);
    const body = { overlapHours, expiresAt: inDays(90) };
    const { data } = (await proven('POST', `${path}/${key.id}/successor`, body)).json;
    expect(await row(data.keyId)).toMatchObject({
      name: 'Website',
      scopes: ['collections'],
      addresses: ['127.0.0.1'],
      callbackUrl: 'https://a.test/cb',
      endsAt: body.expiresAt,
    });
    const before = await row(key.id);
    expect(before.successor).toBe(data.keyId);
    expect(Math.abs(Date.parse(before.endsAt) - Date.now() - overlapHours * 3_600_000)).toBeLessThan(60_000);
    expect(await tryKey(key)).toBe('created');
    expect(await tryKey({ id: data.keyId, secret: data.secret })).toBe('created');
    // It has one already, and its limits are its successor's from now on.
    expect(outcome(await proven('POST', `${path}/${key.id}/successor`, body))).toEqual([409, 'conflict']);
    const edit = await proven('PUT', `${path}/${key.id}`, { name: 'a', scopes: all });
    expect(outcome(edit)).toEqual([409, 'conflict']);
  });

  it('without overlap ends the key before at once', async () => {
    const { proven, make } = await admin();
    const key = await make();
    const { data } = (await proven('POST', `${path}/${key.id}/successor`, { overlapHours: 0 })).json;
    expect(await tryKey(key)).toBe('signature_invalid');
    expect(await tryKey({ id: data.keyId, secret: data.secret })).toBe('created');
  });

  it('does not make a key live longer than it would have', async () => {
    const { proven, make, row } = await admin();
    const endsAt = inDays(2);
    const key = await make({ expiresAt: endsAt });
    await proven('POST', `${path}/${key.id}/successor`, { overlapHours: 168 });
    expect((await row(key.id)).endsAt).toBe(endsAt);
  });

  it.each([[2], ['24'], [-1], [undefined]])(
    'is refused with an overlap of %s hours',
    async (overlapHours) => {
      const { proven, make } = await admin();
      const key = await make();
      const refused = await proven('POST', `${path}/${key.id}/successor`, { overlapHours });
      expect([refused.status, Object.keys(refused.json.errors)]).toEqual([422, ['overlapHours']]);
    },
  );

  it('is one, even if two are asked for at once', async () => {
    const { merchant, proven, make, list } = await admin();
    const key = await make();
    const second = await manager(merchant, 'second');
    const both = await Promise.all(
      [proven, second.proven].map((by) => by('POST', `${path}/${key.id}/successor`, { overlapHours: 1 })),
    );
    expect(both.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(await list()).toHaveLength(3);
  });
});

it('a key that was replaced is turned off, and never on again: its successor is', async () => {
  const { visitor, proven, make } = await admin();
  const key = await make();
  await proven('POST', `${path}/${key.id}/successor`, { overlapHours: 24 });
  const turn = (isOn: boolean) => visitor.send('PUT', `${path}/${key.id}/is-on`, { isOn });
  expect((await turn(false)).status).toBe(200);
  expect(outcome(await turn(true))).toEqual([409, 'conflict']);
});

describe('the notices of an expiry', () => {
  it('come 14 and 3 days before and at the end, each once, and not for keys that were replaced or are off', async () => {
    const { visitor, proven, make } = await admin();
    const key = await make({ expiresAt: inDays(60) });
    const off = await make({ expiresAt: inDays(60) });
    const replaced = await make({ expiresAt: inDays(60) });
    await visitor.send('PUT', `${path}/${off.id}/is-on`, { isOn: false });
    await proven('POST', `${path}/${replaced.id}/successor`, { overlapHours: 24 });
    const kinds = async () =>
      (await visitor.get('/api/merchant/notices')).json.data
        .filter(({ kind }: { kind: string }) => kind.startsWith('accessKey'))
        .map(({ kind, subject }: { kind: string; subject: string }) => [kind, subject]);
    const warn = () => product.services.tasks[warnTask]?.({});
    const move = (days: number) =>
      run(sql`
        update access_key set created_at = now() - interval '90 days', ends_at = date_trunc('day', now()) + ${days} * interval '1 day'
        where key_id in (${key.id}, ${off.id}) or key_id = ${replaced.id}`);
    await warn();
    expect(await kinds()).toEqual([]);
    await move(14);
    await Promise.all([warn(), warn()]);
    await warn();
    expect(await kinds()).toEqual([['accessKeyExpires', key.id]]);
    await move(3);
    await warn();
    await warn();
    expect(await kinds()).toHaveLength(2);
    await move(0);
    await warn();
    await warn();
    const [last] = (await visitor.get('/api/merchant/notices')).json.data;
    expect(last).toMatchObject({
      kind: 'accessKeyExpired',
      subject: key.id,
      key: { name: 'Website', endsAt: expect.any(String) },
    });
    expect(await kinds()).toHaveLength(3);
  });

  it('do not repeat what a short-lived key’s owner knows', async () => {
    const { merchant, make } = await admin();
    await make({ expiresAt: inDays(2) });
    await product.services.tasks[warnTask]?.({});
    const { rows } = await run(
      sql`select from notice where merchant_id = ${merchant.id} and kind like 'accessKey%'`,
    );
    expect(rows).toEqual([]);
  });
});
