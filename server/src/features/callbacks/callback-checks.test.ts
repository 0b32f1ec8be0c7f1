import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { EndpointServer } from '../../testing/endpoint-server.ts';
import { SoftPasskey } from '../../testing/soft-passkey.ts';
import { type TestMerchant, TestProduct, testPassword } from '../../testing/test-product.ts';
import { until } from '../../testing/until.ts';
import type { Visitor } from '../../testing/visitor.ts';

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
