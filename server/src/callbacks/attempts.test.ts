import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { asOwner } from '#db/owner.ts';
import { NameServer } from '../testing/name-server.ts';
import { type TestMerchant, TestProduct } from '../testing/test-product.ts';
import { listAttempts } from './attempts.sql.ts';
import { CallbackSender, queueCallback, sendAgain } from './callbacks.ts';
import { anyTargets, publicTargets } from './target.ts';

let product: TestProduct;
let merchant: TestMerchant;
let sender: CallbackSender;
const nameServer = new NameServer((name) => {
  if (name === 'silent.test') return 'silent';
  return name === 'internal.test' ? ['10.0.0.1'] : undefined;
});

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  merchant = await product.merchant('curious');
  const { database, secrets } = product.services;
  const onAcknowledged = { collection: async () => {}, payout: async () => {} };
  const onPaused = async () => {};
  const targets = publicTargets([await nameServer.listen()]);
  sender = new CallbackSender({ database, secrets, targets, onAcknowledged, onPaused });
});
afterAll(async () => {
  nameServer.close();
  await product.close();
});

/** Delivers a callback once; returns what the merchant sees of the attempt. */
async function attemptAt(url: string, by = sender) {
  const { database } = product.services;
  const subjectNo = `order for ${url}`;
  const message = {
    subjectKind: 'collection' as const,
    subjectNo,
    event: 'collection.paid',
    url,
    body: '{}',
  };
  const id = await database.asMerchant(merchant.id, async (tx) => {
    await queueCallback(tx, message);
    const { rows } = await sql<{ id: string }>`
      select id from callback_message where subject_no = ${subjectNo}`.execute(tx.query);
    return rows[0]?.id;
  });
  await by.tasks['callbacks.deliver']?.({ id, merchantId: String(merchant.id), target: new URL(url).origin });
  return database.asMerchant(merchant.id, async (tx) =>
    (await listAttempts(tx, { tradeNo: subjectNo, createdAt: new Date() })).map(
      ({ at: _, messageId: __, ...attempt }) => attempt,
    ),
  );
}

it('reports a name in our network, a missing name and a private address alike', async () => {
  const names = ['http://missing.test/', 'http://internal.test/', 'http://silent.test/'];
  const urls = [...names, 'http://10.0.0.1/', 'http://0x7f.1:9/'];
  for (const url of urls)
    expect(await attemptAt(url)).toEqual([
      {
        event: 'collection.paid',
        attempt: 1,
        httpStatus: null,
        error: 'notPublic',
        durationMs: 0,
      },
    ]);
  expect(nameServer.queries).toEqual(expect.arrayContaining(['A missing.test', 'A internal.test']));
});

it('gives up within three seconds if a name does not resolve or a server does not connect', async () => {
  const { database, secrets } = product.services;
  const onAcknowledged = { collection: async () => {}, payout: async () => {} };
  const onPaused = async () => {};
  const targets = { resolve: () => new Promise<string[]>(() => {}), isAllowed: () => true };
  const stuck = new CallbackSender({ database, secrets, targets, onAcknowledged, onPaused });
  const [mostMs, slackMs] = [3000, 1500];
  for (const [by, url] of [
    [sender, 'http://silent.test/second'],
    [stuck, 'http://stuck.test/'],
  ] as const) {
    const startedAt = performance.now();
    await attemptAt(url, by);
    expect(performance.now() - startedAt).toBeLessThan(mostMs + slackMs);
  }
}, 30_000);

it('shows merchants a failure code but no error text, also for attempts of an earlier version', async () => {
  const { database } = product.services;
  const errorText = 'connect ECONNREFUSED 10.1.2.3:80';
  const url = 'http://10.0.0.1/kept-before';
  await attemptAt(url);
  await database.asMerchant(merchant.id, (tx) =>
    sql`insert into callback_attempt (merchant_id, message_id, attempt, error, duration_ms)
      select merchant_id, id, 2, ${errorText}, 1 from callback_message where url = ${url}`.execute(tx.query),
  );
  const order = { tradeNo: `order for ${url}`, createdAt: new Date() };
  const kept = await database.asMerchant(merchant.id, (tx) => listAttempts(tx, order));
  expect(kept).toMatchObject([{ error: 'notPublic' }, { error: 'other', httpStatus: null }]);
  expect(JSON.stringify(kept)).not.toContain(errorText);
});

describe('a callback that is sent again while its last attempt is in progress', () => {
  const subjectNo = 'sent-again';
  const rowOf = async () => {
    const { rows } = await product.services.database.asMerchant(merchant.id, (tx) =>
      sql<{ id: string; attempts: number; hasEnded: boolean; isDelivered: boolean }>`
        select id, attempts, given_up_at is not null as "hasEnded", delivered_at is not null as "isDelivered"
        from callback_message where subject_no = ${subjectNo} order by created_at desc limit 1`.execute(
        tx.query,
      ),
    );
    return rows[0] ?? expect.fail('no such callback');
  };
  const again = async () => {
    const { id } = await rowOf();
    await product.services.database.asMerchant(merchant.id, (tx) => sendAgain(tx, { id, subjectNo }));
  };
  /** Seconds until its next delivery. */
  const delayOf = (id: string) =>
    asOwner(product.ownerUrl, async (client) => {
      const { rows } = await client.query(
        'select extract(epoch from run_at - now())::float8 as delay from graphile_worker._private_jobs where key = $1',
        [`callback:${id}`],
      );
      return rows[0]?.delay;
    });

  /** Queues a callback to a server, as one that was attempted before; returns how to deliver it, and its id. */
  async function begin(attempts: number, answer: RequestListener) {
    const { database, secrets } = product.services;
    const server = createServer(answer);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await database.asMerchant(merchant.id, async (tx) => {
      const event = 'collection.paid';
      await queueCallback(tx, { subjectKind: 'collection', subjectNo, event, url: `${target}/`, body: '{}' });
    });
    const { id } = await rowOf();
    await database.asMerchant(merchant.id, (tx) =>
      sql`update callback_message set attempts = ${attempts} where id = ${id}`.execute(tx.query),
    );
    const onAcknowledged = { collection: async () => {}, payout: async () => {} };
    const options = { database, secrets, targets: anyTargets, onAcknowledged, onPaused: async () => {} };
    const { tasks } = new CallbackSender(options);
    const deliver = () => tasks['callbacks.deliver']?.({ id, merchantId: String(merchant.id), target });
    const close = () => {
      server.close();
      server.closeAllConnections();
    };
    return { id, deliver, close };
  }

  it.each([
    ['not given up', 9],
    ['not delayed', 3],
  ])('is %s by that attempt', async (_name, attempts) => {
    const { id, deliver, close } = await begin(attempts, (_request, response) => {
      void again().then(() => response.writeHead(500).end());
    });
    await deliver();
    close();
    expect(await rowOf()).toMatchObject({ attempts: attempts + 1, hasEnded: false });
    expect(await delayOf(id)).toBeLessThan(1);
  });

  it('counts as delivered by the other attempt, which began before that one ended', async () => {
    let answers = 0;
    let second: Promise<unknown> | undefined;
    const begun = Promise.withResolvers<void>();
    const counted = Promise.withResolvers<void>();
    const { deliver, close } = await begin(9, async (_request, response) => {
      answers += 1;
      if (answers === 2) {
        begun.resolve();
        await counted.promise;
        response.end();
        return;
      }
      await again();
      second = Promise.resolve(deliver());
      await begun.promise;
      response.writeHead(500).end();
    });
    await deliver();
    counted.resolve();
    await second;
    close();
    expect(await rowOf()).toMatchObject({ attempts: 11, hasEnded: false, isDelivered: true });
  });

  it('counts as delivered if that attempt delivers it', async () => {
    const { deliver, close } = await begin(9, (_request, response) => {
      void again().then(() => response.end());
    });
    await deliver();
    close();
    expect(await rowOf()).toMatchObject({ attempts: 10, isDelivered: true });
  });
});
