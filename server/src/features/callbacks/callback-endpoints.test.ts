import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { reopenMessages } from '#callbacks/callbacks.sql.ts';
import { queueCallback, scheduleReopened } from '#callbacks/callbacks.ts';
import { SandboxAdapter } from '#channels/sandbox/sandbox-adapter.ts';
import { Colleague } from '../../testing/approving-office.ts';
import { CallbackReceiver } from '../../testing/callback-receiver.ts';
import { EndpointServer, isSignedBy } from '../../testing/endpoint-server.ts';
import { type TestMerchant, TestProduct } from '../../testing/test-product.ts';
import { until } from '../../testing/until.ts';

let product: TestProduct;
let server: EndpointServer;
let merchants = 0;
const path = '/api/merchant/callback-endpoints';

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), {
    bank: true,
    worker: true,
  });
});
afterAll(async () => {
  expect(await product.deadlocks()).toBe(0);
  await product.close();
});
beforeEach(async () => {
  server = await EndpointServer.start();
  return () => server.close();
});

interface Office {
  merchant: TestMerchant;
  developer: Colleague;
  id: string;
  secret: string;
}

async function developerOf(merchant: TestMerchant): Promise<Colleague> {
  return Colleague.join(product, merchant, { role: 'DEVELOPER', name: 'developer' });
}

const secretOf = async (developer: Colleague, id: string): Promise<string> =>
  (await developer.authorizedGet(`${path}/${id}/secret`)).json.data.secret;

/** A merchant with an endpoint at the server of the test. */
async function office(body: object = {}): Promise<Office> {
  const merchant = await product.merchant(`endpoints${++merchants}`);
  const developer = await developerOf(merchant);
  const { json } = await developer.proven('POST', path, { url: server.url, ...body });
  const { id } = json.data;
  return { merchant, developer, id, secret: await secretOf(developer, id) };
}

/** Queues messages about orders of their own; returns the orders' numbers. */
function queue({ id }: TestMerchant, count = 1, event = 'payout.processed'): Promise<string[]> {
  const numbers = Array.from({ length: count }, () => randomUUID());
  return product.services.database.asMerchant(id, async (tx) => {
    for (const subjectNo of numbers) {
      const body = JSON.stringify({ type: event, data: { trade_no: subjectNo } });
      await queueCallback(tx, { subjectKind: 'payout', subjectNo, event, url: null, body });
    }
    return numbers;
  });
}

const received = (text: string, count = 1) =>
  until(
    async () => server.about(text),
    (found) => found.length >= count,
  );
const endpointOf = async ({ developer, id }: Office) =>
  (await developer.visitor.get(path)).json.data.find((each: { id: string }) => each.id === id);
const turn = ({ developer, id }: Office, state: string) =>
  developer.visitor.send('PUT', `${path}/${id}/state`, { state });
const messagesOf = async ({ developer }: Office, query = '') =>
  (await developer.visitor.get(`/api/merchant/callbacks?${query}`)).json.data;
const audited = async ({ merchant }: Office) => {
  const { rows } = await product.services.database.asSystem((tx) =>
    sql<{ action: string }>`
      select action from audit where merchant_id = ${merchant.id} and action like 'callback_endpoint.%' order by id`.execute(
      tx.query,
    ),
  );
  return rows.map(({ action }) => action);
};

describe('an endpoint', () => {
  it('receives what happens to every order, signed with its own secret, beside the order’s own callback URL', async () => {
    const { merchant, developer, secret } = await office({ description: 'Accounting' });
    const shop = await CallbackReceiver.start(merchant.program.key.secret);
    const bank = new SandboxAdapter({ url: product.bank?.url ?? '', secret: 'a secret of the test bank' });
    const person = await product.person(merchant);
    const pay = async (name: string, fields: Record<string, unknown>) => {
      const { json } = await merchant.program.create(name, fields);
      const token = json.cashierUrl.split('/pay/')[1];
      await product.visitor().post(`/api/cashier/${token}/pay`, { channel: 'CN_BANK' });
      await bank.playPayer(json.trade_no, 'confirm');
      await until(
        async () => (await person.get(`/api/merchant/collections/${json.trade_no}`)).json.data,
        ({ status }) => status === 'success',
      );
      return json.trade_no as string;
    };
    const both = await pay('both', { notifyUrl: shop.url });
    const alone = await pay('alone', {});
    for (const tradeNo of [both, alone]) {
      const [message] = await received(tradeNo);
      expect(JSON.parse(message?.body ?? '')).toMatchObject({
        type: 'collection.paid',
        data: { trade_no: tradeNo, status: 'paid' },
      });
      expect(message && isSignedBy(message, secret)).toBe(true);
      expect(message?.headers).not.toHaveProperty('hengfu-resend');
    }
    expect(shop.of(both)).toHaveLength(1);
    // The order with a callback URL of its own has two messages, each with its own attempts.
    const detail = (await person.get(`/api/merchant/collections/${both}`)).json.data;
    const ids = new Set(detail.callbacks.map((attempt: { callback_id: string }) => attempt.callback_id));
    expect([detail.callbacks.length, ids.size]).toEqual([2, 2]);
    // They say who they were sent to: the endpoint by its name, or the host of an address.
    const receivers = detail.callbacks.map(({ receiver }: { receiver: string }) => receiver);
    expect(new Set(receivers)).toEqual(new Set(['Accounting', new URL(shop.url).host]));
    expect(JSON.stringify((await developer.visitor.get(path)).json)).not.toContain('whsec_');
    await shop.close();
  });

  it('cannot complete an order whose own callback URL has not acknowledged the payment', async () => {
    const { merchant } = await office();
    const shop = await CallbackReceiver.start(merchant.program.key.secret);
    shop.answers.push(...Array.from({ length: 20 }, () => 500));
    const bank = new SandboxAdapter({ url: product.bank?.url ?? '', secret: 'a secret of the test bank' });
    const { json } = await merchant.program.create('own-route', { notifyUrl: shop.url });
    const token = json.cashierUrl.split('/pay/')[1];
    await product.visitor().post(`/api/cashier/${token}/pay`, { channel: 'CN_BANK' });
    await bank.playPayer(json.trade_no, 'confirm');
    await received(json.trade_no);
    const person = await product.person(merchant);
    const order = await until(
      async () => (await person.get(`/api/merchant/collections/${json.trade_no}`)).json.data,
      ({ callbacks }) => callbacks.length >= 2,
    );
    expect(order.status).toBe('paid');
    await shop.close();
  });

  it('receives only the events that it is for', async () => {
    const { merchant } = await office({ events: ['payout.rejected'] });
    const [processed] = await queue(merchant);
    const [rejected] = await queue(merchant, 1, 'payout.rejected');
    await received(String(rejected));
    expect(server.about(String(processed))).toEqual([]);
  });

  it('gets both signatures while the previous secret overlaps, and one afterwards', async () => {
    const place = await office();
    const { merchant, developer, id, secret: old } = place;
    const rotate = async (overlapHours: number): Promise<string> =>
      (await developer.authorized('PUT', `${path}/${id}/secret`, { overlapHours })).json.data.secret;
    const fresh = await rotate(24);
    expect(fresh).not.toBe(old);
    const [during] = await received(String(await queue(merchant)));
    expect(during && [isSignedBy(during, old), isSignedBy(during, fresh)]).toEqual([true, true]);
    const { previousEndsAt } = await endpointOf(place);
    expect(Math.abs(Date.parse(previousEndsAt) - Date.now() - 24 * 3_600_000)).toBeLessThan(60_000);
    // The merchant's system may still verify with the previous one: another secret would displace it.
    const refused = await developer.authorized('PUT', `${path}/${id}/secret`, { overlapHours: 1 });
    expect([refused.status, refused.json.code]).toEqual([409, 'conflict']);
    expect(await secretOf(developer, id)).toBe(fresh);
    const [still] = await received(String(await queue(merchant)));
    expect(still && [isSignedBy(still, old), isSignedBy(still, fresh)]).toEqual([true, true]);
    // Nothing but a number, or its digits, means that both end at once.
    for (const wrong of [null, '', [], false, true, '0x18', [24], ' '])
      expect(
        (await developer.authorized('PUT', `${path}/${id}/secret`, { overlapHours: wrong })).status,
      ).toBe(422);
    const newest = await rotate(0);
    const [after] = await received(String(await queue(merchant)));
    expect(after && [old, fresh, newest].map((secret) => isSignedBy(after, secret))).toEqual([
      false,
      false,
      true,
    ]);
    expect(await secretOf(developer, id)).toBe(newest);
  });

  it('gets one new secret that overlaps, even if three people make one at once, and another after the overlap', async () => {
    const { merchant, developer, id, secret: old } = await office();
    const others = await Promise.all(
      ['second', 'third'].map((name) => Colleague.join(product, merchant, { role: 'DEVELOPER', name })),
    );
    const rotate = (by: Colleague) => by.authorized('PUT', `${path}/${id}/secret`, { overlapHours: 24 });
    const answers = await Promise.all([developer, ...others].map(rotate));
    expect(answers.map(({ status, json }) => (status === 200 ? 'made' : json.code)).toSorted()).toEqual([
      'conflict',
      'conflict',
      'made',
    ]);
    const made = answers.find(({ status }) => status === 200)?.json.data.secret;
    const [message] = await received(String(await queue(merchant)));
    expect(message && [isSignedBy(message, old), isSignedBy(message, made)]).toEqual([true, true]);
    await product.services.database.asSystem((tx) =>
      sql`update callback_endpoint set previous_ends_at = now() where id = ${id}`.execute(tx.query),
    );
    expect((await rotate(developer)).status).toBe(200);
  });
});

describe('an endpoint that is paused', () => {
  it('gets what has waited once it is on again, and nothing twice', async () => {
    const place = await office();
    await turn(place, 'paused');
    const numbers = await queue(place.merchant, 5);
    expect(await endpointOf(place)).toMatchObject({ state: 'paused', waiting: 5 });
    expect(
      (await messagesOf(place)).map(({ state, isHeld }: Record<string, unknown>) => [state, isHeld]),
    ).toEqual(Array.from({ length: 5 }, () => ['waiting', true]));
    await turn(place, 'on');
    for (const number of numbers) await received(number);
    await until(
      () => endpointOf(place),
      ({ waiting }) => waiting === 0,
    );
    expect(server.received).toHaveLength(5);
    expect(await audited(place)).toEqual([
      'callback_endpoint.create',
      'callback_endpoint.reveal',
      'callback_endpoint.pause',
      'callback_endpoint.on',
    ]);
  });

  it('gets nothing of what was skipped, and messages for one that is off are not even made', async () => {
    const place = await office();
    await turn(place, 'paused');
    await queue(place.merchant, 3);
    const { json } = await place.developer.visitor.post(`${path}/${place.id}/skip-waiting`, {});
    expect(json.data).toEqual({ skipped: 3 });
    await turn(place, 'off');
    await queue(place.merchant, 2);
    await turn(place, 'on');
    const [number] = await queue(place.merchant);
    await received(String(number));
    expect(server.received).toHaveLength(1);
    await until(
      () => messagesOf(place, 'state=delivered,givenUp'),
      (rows) => rows.length === 1,
    );
    expect(await messagesOf(place)).toHaveLength(4);
    expect(await messagesOf(place, 'state=skipped')).toHaveLength(3);
  });

  it('is one that has failed for three days, which its people are told; the failing message waits', async () => {
    const place = await office();
    const { database } = product.services;
    server.status = 500;
    const [first] = await queue(place.merchant);
    await received(String(first));
    const failing = await until(
      () => endpointOf(place),
      ({ failingSince }) => failingSince !== null,
    );
    expect(failing.state).toBe('on');
    await database.asSystem((tx) =>
      sql`update callback_endpoint set failing_since = now() - interval '73 hours' where id = ${place.id}`.execute(
        tx.query,
      ),
    );
    await queue(place.merchant);
    await until(
      () => endpointOf(place),
      ({ state }) => state === 'autoPaused',
    );
    expect(await audited(place)).toContain('callback_endpoint.auto_pause');
    const notices = (await place.developer.visitor.get('/api/merchant/notices')).json.data;
    expect(notices).toContainEqual(expect.objectContaining({ kind: 'callbacksPaused', subject: server.url }));
    server.status = 200;
    await turn(place, 'on');
    expect(await endpointOf(place)).toMatchObject({ state: 'on', failingSince: null });
  });

  it('works again after a success: failures of earlier days do not count', async () => {
    const place = await office();
    server.status = 503;
    const [first] = await queue(place.merchant);
    await received(String(first));
    await until(
      () => endpointOf(place),
      ({ failingSince }) => failingSince !== null,
    );
    server.status = 200;
    await queue(place.merchant);
    await until(
      () => endpointOf(place),
      ({ failingSince }) => failingSince === null,
    );
  });
});

describe('a message', () => {
  it('whose last attempt pauses its endpoint waits for it, and then has the whole schedule anew', async () => {
    const place = await office();
    const { database } = product.services;
    server.status = 500;
    await turn(place, 'paused');
    await queue(place.merchant);
    await database.asSystem(async (tx) => {
      await sql`update callback_message set attempts = 9 where merchant_id = ${place.merchant.id}`.execute(
        tx.query,
      );
    });
    const [message] = await messagesOf(place);
    const fail = () =>
      database.asMerchant(place.merchant.id, async (tx) => {
        const [found] = await reopenMessages(tx, [message.id]);
        if (found) await scheduleReopened(tx, found);
      });
    await turn(place, 'on');
    // Released with its schedule anew: the attempt is not its last, although it is the tenth.
    await until(
      () => messagesOf(place),
      ([each]) => each.attempts >= 11,
    );
    expect(await messagesOf(place)).toMatchObject([{ state: 'waiting', isHeld: false }]);
    await fail();
    await database.asSystem(async (tx) => {
      await sql`update callback_endpoint set failing_since = now() - interval '73 hours' where id = ${place.id}`.execute(
        tx.query,
      );
      await sql`update callback_message set attempts_before = attempts - 9 where id = ${message.id}`.execute(
        tx.query,
      );
    });
    await until(
      () => messagesOf(place),
      ([each]) => each.isHeld || each.state === 'givenUp',
    );
    expect(await messagesOf(place)).toMatchObject([{ state: 'waiting', isHeld: true }]);
    expect(await endpointOf(place)).toMatchObject({ state: 'autoPaused' });
    server.status = 200;
    await turn(place, 'on');
    await until(
      () => messagesOf(place),
      ([each]) => each.state === 'delivered',
    );
  });

  it('is not sent again by a process that does not know endpoints', async () => {
    const place = await office();
    await turn(place, 'paused');
    await queue(place.merchant);
    const [{ id }] = await messagesOf(place);
    const { rows } = await product.services.database.asMerchant(place.merchant.id, (tx) =>
      sql`update callback_message set delivered_at = null, given_up_at = null where id = ${id} returning id`.execute(
        tx.query,
      ),
    );
    expect(rows).toEqual([]);
  });

  it('is not sent again by our staff, or from its order, once its endpoint was removed', async () => {
    const place = await office();
    const [number] = await queue(place.merchant);
    await received(String(number));
    const [{ id, state }] = await until(
      () => messagesOf(place),
      ([each]) => each.state === 'delivered',
    );
    await place.developer.visitor.send('DELETE', `${path}/${place.id}`);
    const again = await product.services.database.asMerchant(place.merchant.id, (tx) =>
      reopenMessages(tx, [id]),
    );
    expect(again).toEqual([]);
    expect(await messagesOf(place)).toMatchObject([{ state }]);
  });
});

describe('changes of an endpoint', () => {
  it('send what waits to the new address', async () => {
    const place = await office();
    await turn(place, 'paused');
    const [number] = await queue(place.merchant);
    const other = await EndpointServer.start();
    const { developer, id } = place;
    const changed = await developer.proven('PUT', `${path}/${id}`, {
      url: other.url,
      description: 'new',
    });
    expect(changed.json.data).toMatchObject({ url: other.url, description: 'new', events: null });
    await turn(place, 'on');
    await until(
      async () => other.about(String(number)),
      (found) => found.length === 1,
    );
    expect(server.received).toEqual([]);
    await other.close();
  });

  it('end with its removal: its secret is gone, and what it did not get is given up', async () => {
    const place = await office();
    const { developer, id, merchant } = place;
    await turn(place, 'paused');
    await queue(merchant, 2);
    const [message] = await messagesOf(place);
    expect((await developer.visitor.send('DELETE', `${path}/${id}`)).status).toBe(204);
    expect((await developer.visitor.get(path)).json.data).toEqual([]);
    for (const each of await messagesOf(place))
      expect(each).toMatchObject({ state: 'skipped', isHeld: false });
    const again = await developer.visitor.post('/api/merchant/callbacks/send-again', { ids: [message.id] });
    expect(again.status).toBe(404);
    expect((await turn(place, 'on')).status).toBe(404);
    expect((await developer.authorizedGet(`${path}/${id}/secret`)).status).toBe(404);
    const { rows } = await product.services.database.asSystem((tx) =>
      sql`select secret_encrypted, previous_secret_encrypted from callback_endpoint where id = ${id}`.execute(
        tx.query,
      ),
    );
    expect(rows).toEqual([{ secret_encrypted: null, previous_secret_encrypted: null }]);
  });

  it('are refused if they are none', async () => {
    const { developer, id } = await office();
    const cases: [object, string][] = [
      [{}, 'url'],
      [{ url: 'ftp://shop.test/' }, 'url'],
      [{ url: 'https://user:word@shop.test/' }, 'url'],
      [{ url: server.url, events: [] }, 'events'],
      [{ url: server.url, events: ['no.such'] }, 'events.0'],
      [{ url: server.url, description: 'x'.repeat(81) }, 'description'],
    ];
    for (const [body, field] of cases)
      for (const answer of [
        await developer.proven('POST', path, body),
        await developer.proven('PUT', `${path}/${id}`, body),
      ])
        expect([field, answer.status, Object.keys(answer.json.errors)]).toEqual([field, 422, [field]]);
    const state = await developer.visitor.send('PUT', `${path}/${id}/state`, { state: 'autoPaused' });
    expect(state.status).toBe(422);
    const overlap = await developer.authorized('PUT', `${path}/${id}/secret`, { overlapHours: 2 });
    expect(overlap.status).toBe(422);
  });

  it('stop at ten endpoints, even if three people add the last two at once', async () => {
    const { merchant, developer } = await office();
    const add = (by: Colleague, name: string) => by.proven('POST', path, { url: `${server.url}/${name}` });
    for (let index = 0; index < 7; index++) expect((await add(developer, `${index}`)).status).toBe(200);
    const others = await Promise.all(
      ['second', 'third'].map((name) => Colleague.join(product, merchant, { role: 'DEVELOPER', name })),
    );
    const answers = await Promise.all([developer, ...others].map((by, index) => add(by, `last-${index}`)));
    expect(answers.map(({ status, json }) => (status === 200 ? 'added' : json.code)).toSorted()).toEqual([
      'added',
      'added',
      'quota_reached',
    ]);
  });

  it('and readings never reach another merchant’s endpoint', async () => {
    const mine = await office();
    const other = await office();
    const { visitor } = other.developer;
    for (const answer of [
      await other.developer.proven('PUT', `${path}/${mine.id}`, { url: 'https://evil.test/' }),
      await visitor.send('PUT', `${path}/${mine.id}/state`, { state: 'off' }),
      await visitor.send('DELETE', `${path}/${mine.id}`),
      await visitor.post(`${path}/${mine.id}/skip-waiting`, {}),
      await visitor.post(`${path}/${mine.id}/check`, {}),
      await other.developer.authorizedGet(`${path}/${mine.id}/secret`),
      await other.developer.authorized('PUT', `${path}/${mine.id}/secret`, { overlapHours: 0 }),
    ])
      expect([answer.status, answer.json.code]).toEqual([404, 'not_found']);
    expect(await endpointOf(mine)).toMatchObject({ url: server.url, state: 'on' });
    expect(await secretOf(mine.developer, mine.id)).toBe(mine.secret);
  });

  it('need a second factor for what shows the secret, or chooses where data goes', async () => {
    const { developer, id } = await office();
    for (const answer of [
      await developer.visitor.post(path, { url: 'https://evil.test/' }),
      await developer.visitor.send('PUT', `${path}/${id}`, { url: 'https://evil.test/' }),
      await developer.visitor.get(`${path}/${id}/secret`),
      await developer.visitor.send('PUT', `${path}/${id}/secret`, { overlapHours: 0 }),
    ])
      expect([answer.status, Object.keys(answer.json.errors)]).toEqual([422, ['code']]);
  });
});
