import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { publicTargets } from '#callbacks/target.ts';
import { EndpointServer, isSignedBy } from '../../testing/endpoint-server.ts';
import { SoftPasskey } from '../../testing/soft-passkey.ts';
import { type TestMerchant, TestProduct, testPassword } from '../../testing/test-product.ts';
import { until } from '../../testing/until.ts';
import type { Visitor } from '../../testing/visitor.ts';
import { CallbackChecks } from './callback-checks.service.ts';

let product: TestProduct;
let server: EndpointServer;
let merchants = 0;
const path = '/api/merchant/callback-endpoints';

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), { worker: true });
});
afterAll(() => product.close());
beforeEach(async () => {
  server = await EndpointServer.start();
  return () => server.close();
});

interface Office {
  merchant: TestMerchant;
  developer: Visitor;
  add: (url: string) => Promise<string>;
}

async function office(): Promise<Office> {
  const merchant = await product.merchant(`checks${++merchants}`);
  const developer = await product.person(merchant, 'DEVELOPER');
  await developer.post('/api/user/confirm-password', { password: testPassword });
  const passkey = new SoftPasskey(product.url);
  await passkey.bind(developer);
  const add = async (url: string) => {
    await passkey.show(developer);
    return (await developer.post(path, { url })).json.data.id as string;
  };
  return { merchant, developer, add };
}

const start = ({ developer }: Office, id: string) => developer.post(`${path}/${id}/check`, {});
const ended = ({ developer }: Office, id: string) =>
  until(
    async () => (await developer.get(path)).json.data.find((each: { id: string }) => each.id === id)?.check,
    (check) => check !== null && check.verdict !== null,
  );

describe('the check of an endpoint', () => {
  it('is done by a worker, step by step, and its messages are no callbacks of orders', async () => {
    const place = await office();
    const id = await place.add(server.url);
    expect((await start(place, id)).json.data).toMatchObject({ steps: [], verdict: null });
    const { steps, verdict } = await ended(place, id);
    expect(steps.map(({ step }: { step: string }) => step)).toEqual([
      'name',
      'connect',
      'message',
      'signature',
      'clock',
    ]);
    // The server of this test verifies nothing.
    expect(verdict).toBe('wrongSignatureAccepted');
    expect(server.received.map(({ body }) => JSON.parse(body).type)).toEqual([
      'endpoint.test',
      'endpoint.test',
    ]);
    expect((await place.developer.get('/api/merchant/callbacks')).json.data).toEqual([]);
    const { rows } = await product.services.database.asSystem((tx) =>
      sql`select from audit where merchant_id = ${place.merchant.id} and action = 'callback_endpoint.check'`.execute(
        tx.query,
      ),
    );
    expect(rows).toHaveLength(1);
  });

  it('is done also while the endpoint is off or its circuit breaker is open', async () => {
    const place = await office();
    const id = await place.add(server.url);
    await place.developer.send('PUT', `${path}/${id}/state`, { state: 'off' });
    await product.services.database.asSystem((tx) =>
      sql`insert into merchant_breaker (merchant_id, target, failures, open_until)
        values (${place.merchant.id}, ${new URL(server.url).origin}, 9, now() + interval '1 hour')`.execute(
        tx.query,
      ),
    );
    await start(place, id);
    expect((await ended(place, id)).verdict).toBe('wrongSignatureAccepted');
  });

  it('runs one at a time, whichever endpoint it is for', async () => {
    const place = await office();
    const ids = [await place.add(server.url), await place.add(`${server.url}/2`)];
    // As if a check were in progress in another process.
    await product.services.database.asSystem((tx) =>
      sql`insert into callback_check (merchant_id, endpoint_id) values (${place.merchant.id}, ${ids[0]})`.execute(
        tx.query,
      ),
    );
    const answers = await Promise.all(ids.map((id) => start(place, id)));
    expect(answers.map(({ status, json }) => [status, json.code])).toEqual([
      [409, 'check_in_progress'],
      [409, 'check_in_progress'],
    ]);
    expect(server.received).toEqual([]);
  });

  it('does not block the next one if its process has died', async () => {
    const place = await office();
    const id = await place.add(server.url);
    await product.services.database.asSystem((tx) =>
      sql`insert into callback_check (merchant_id, endpoint_id, started_at)
        values (${place.merchant.id}, ${id}, now() - interval '2 minutes')`.execute(tx.query),
    );
    expect((await ended(place, id)).verdict).toBe('interrupted');
    expect((await start(place, id)).status).toBe(200);
    expect((await ended(place, id)).verdict).toBe('wrongSignatureAccepted');
  });

  it('is refused after five in ten minutes, even if ten are started at once', async () => {
    const place = await office();
    const id = await place.add(server.url);
    const answers = await Promise.all(Array.from({ length: 10 }, () => start(place, id)));
    const codes = answers.map(({ status, json }) => json.code ?? status);
    expect(codes.filter((code) => code === 200)).toHaveLength(1);
    expect(codes.filter((code) => code === 'too_many_attempts')).toHaveLength(5);
    await ended(place, id);
    expect((await start(place, id)).json.code).toBe('too_many_attempts');
    expect(server.received).toHaveLength(2);
  });
});

describe('the check of the callback URL of an access key', () => {
  const addresses = '/api/merchant/callback-addresses';
  const check = ({ developer }: Office, keyId: string) => developer.post(`${addresses}/${keyId}/check`, {});
  const read = async ({ developer }: Office) => (await developer.get(addresses)).json.data;
  const setUrl = ({ merchant }: Office, url: string | null) =>
    product.services.database.asSystem((tx) =>
      sql`update access_key set callback_url = ${url} where merchant_id = ${merchant.id}`.execute(tx.query),
    );
  const hasEnded = (place: Office) =>
    until(
      async () => (await read(place))[0]?.check,
      (last) => last !== null && last.verdict !== null,
    );

  it('signs as callbacks of orders are signed, with the keys of the merchant', async () => {
    const place = await office();
    expect(await read(place)).toEqual([]);
    await setUrl(place, server.url);
    const [{ keyId, ...shown }] = await read(place);
    expect(shown).toEqual({ name: null, url: server.url, check: null });
    expect((await check(place, keyId)).json.data).toMatchObject({ steps: [], verdict: null });
    // The server of this test verifies nothing.
    expect((await hasEnded(place)).verdict).toBe('wrongSignatureAccepted');
    const secret = Buffer.from(place.merchant.program.key.secret).toString('base64');
    expect(server.received.map((message) => isSignedBy(message, secret))).toEqual([true, false]);
    const { rows } = await product.services.database.asSystem((tx) =>
      sql<{ subject: string }>`select subject from audit
        where merchant_id = ${place.merchant.id} and action = 'callback_address.check'`.execute(tx.query),
    );
    expect(rows).toEqual([{ subject: server.url }]);
  });

  it('is not shown for another address of the key', async () => {
    const place = await office();
    await setUrl(place, server.url);
    const [{ keyId }] = await read(place);
    await check(place, keyId);
    await hasEnded(place);
    await setUrl(place, `${server.url}/new`);
    expect(await read(place)).toMatchObject([{ url: `${server.url}/new`, check: null }]);
  });

  /** Runs a check whose job no worker has, as a process would that calls public servers only. */
  const runGuarded = async (place: Office, address: string): Promise<void> => {
    const { database, secrets } = product.services;
    const [{ keyId }] = await read(place);
    const { rows } = await database.asSystem((tx) =>
      sql<{ run_id: string }>`insert into callback_address_check (merchant_id, key_id, url)
        values (${place.merchant.id}, ${keyId}, ${address}) returning run_id`.execute(tx.query),
    );
    await new CallbackChecks(database, secrets, publicTargets()).tasks['callbacks.checkAddress']?.({
      merchantId: String(place.merchant.id),
      keyId,
      runId: rows[0]?.run_id,
    });
  };

  it('makes no call to an address that is not a public one', async () => {
    const place = await office();
    await setUrl(place, server.url);
    await runGuarded(place, server.url);
    const { steps, verdict } = await hasEnded(place);
    expect([steps.length, verdict]).toEqual([1, 'notPublic']);
    expect(server.received).toEqual([]);
  });

  it('makes no call to an address that the key had when the check was started', async () => {
    const place = await office();
    await setUrl(place, `${server.url}/new`);
    await runGuarded(place, server.url);
    const { rows } = await product.services.database.asSystem((tx) =>
      sql`select steps, verdict from callback_address_check where merchant_id = ${place.merchant.id}`.execute(
        tx.query,
      ),
    );
    expect(rows).toEqual([{ steps: [], verdict: null }]);
    expect(server.received).toEqual([]);
  });

  it('shares the limits of endpoints, and waits for no other one', async () => {
    const place = await office();
    const id = await place.add(server.url);
    await setUrl(place, server.url);
    const [{ keyId }] = await read(place);
    const answers = await Promise.all([
      ...Array.from({ length: 5 }, () => check(place, keyId)),
      ...Array.from({ length: 5 }, () => start(place, id)),
    ]);
    const codes = answers.map(({ status, json }) => json.code ?? status);
    expect(codes.filter((code) => code === 200)).toHaveLength(1);
    expect(codes.filter((code) => code === 'too_many_attempts')).toHaveLength(5);
    expect(codes.filter((code) => code === 'check_in_progress')).toHaveLength(4);
  });

  it('is refused for keys of others, keys without a callback URL, and keys that have ended', async () => {
    const [mine, other] = [await office(), await office()];
    await setUrl(other, server.url);
    const [{ keyId }] = await read(other);
    expect((await check(mine, keyId)).status).toBe(404);
    const own = mine.merchant.program.key.id;
    expect((await check(mine, own)).status).toBe(404);
    await setUrl(mine, server.url);
    const viewer = await product.person(mine.merchant, 'MERCHANT_VIEWER');
    expect((await viewer.post(`${addresses}/${own}/check`, {})).status).toBe(403);
    await product.services.database.asSystem((tx) =>
      sql`update access_key set revoked_at = now() where merchant_id = ${mine.merchant.id}`.execute(tx.query),
    );
    expect((await check(mine, own)).status).toBe(404);
    expect(await read(mine)).toEqual([]);
    expect(server.received).toEqual([]);
  });
});
