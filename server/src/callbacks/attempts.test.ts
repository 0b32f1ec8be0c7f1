import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { NameServer } from '../testing/name-server.ts';
import { type TestMerchant, TestProduct } from '../testing/test-product.ts';
import { listAttempts } from './attempts.sql.ts';
import { CallbackSender, queueCallback } from './callbacks.ts';
import { publicTargets } from './target.ts';

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
