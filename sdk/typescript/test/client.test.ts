import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ConnectionError, Hengfu, HengfuError, type NewCollection, sign } from '../src/hengfu.ts';
import { type Reply, startService } from './service.ts';

interface Exchange {
  name: string;
  replies: Reply[];
  attempts: number;
  outcome: 'ok' | 'connection' | ErrorFields;
  cause?: ErrorFields;
}

/** Fields that an error must have. */
type ErrorFields = Record<string, unknown> & { messageHas?: string };

const vectors = JSON.parse(
  readFileSync(new URL('../../vectors/exchanges.json', import.meta.url), 'utf8'),
) as {
  order: NewCollection;
  reply: Record<string, unknown>;
  exchanges: Exchange[];
  pages: {
    filters: Record<string, never>;
    first: string;
    others: string[];
    cursors: string[];
    items: number[];
    empty: { filters: Record<string, never>; first: string };
  };
};
const [key, secret] = ['ak_test', 'sk_test'];

const clientOf = (base: string) => new Hengfu({ base, key, secret, maxRetries: 2, retryDelayMs: 2 });

test.each(vectors.exchanges)('$name', async ({ replies, attempts, outcome, cause }) => {
  const texts = replies.map((reply) =>
    typeof reply === 'object' && reply.body === '$order'
      ? { ...reply, body: JSON.stringify(vectors.reply) }
      : reply,
  );
  const service = await startService(texts);
  const result = await clientOf(service.base)
    .collections.create(vectors.order, { idempotencyKey: 'k-1' })
    .catch((error: unknown) => error);
  service.stop();
  expectSigned(service.arrived, attempts);
  if (outcome === 'ok') expect(result).toEqual(vectors.reply);
  else if (outcome === 'connection') {
    expect(result).toBeInstanceOf(ConnectionError);
    if (cause) expectRefusal((result as Error).cause, cause);
  } else expectRefusal(result, outcome);
});

function expectRefusal(error: unknown, { messageHas, ...expected }: ErrorFields): void {
  expect(error).toBeInstanceOf(HengfuError);
  expect(error).toMatchObject(expected);
  if (messageHas) expect((error as Error).message).toContain(messageHas);
}

/** Expects the number of attempts, all with the same text, and each with a nonce and a signature of its own. */
function expectSigned(
  arrived: Awaited<ReturnType<typeof startService>>['arrived'],
  attempts: number,
  body = JSON.stringify(vectors.order),
): void {
  expect(arrived).toHaveLength(attempts);
  expect(new Set(arrived.map(({ headers }) => headers['x-nonce'])).size).toBe(attempts);
  for (const { method, url, headers, body: sent } of arrived) {
    expect([method, url, sent]).toEqual(['POST', '/openapi/v1/collections', body]);
    expect(headers['idempotency-key']).toBe('k-1');
    const timestamp = String(headers['x-timestamp']);
    const parts = { method, pathWithQuery: url, timestamp, nonce: String(headers['x-nonce']), body };
    expect(headers['x-signature']).toBe(sign(secret, parts));
  }
}

test('reads a list page by page, under the same filters, and no page that is not needed', async () => {
  const { filters, first, others, cursors, items } = vectors.pages;
  const pages = cursors.map((next_cursor, page) => ({
    status: 200,
    body: JSON.stringify({ items: Array(items[page]).fill(vectors.reply), next_cursor }),
  }));
  const service = await startService(pages);
  const client = clientOf(service.base);
  expect(await Array.fromAsync(client.collections.list(filters))).toHaveLength(3);
  expect(service.arrived.map(({ url }) => url)).toEqual([first, ...others]);
  service.stop();
  const again = await startService(pages);
  for await (const { trade_no } of clientOf(again.base).collections.list(filters)) {
    expect(trade_no).toBe(vectors.reply.trade_no);
    break;
  }
  expect(again.arrived).toHaveLength(1);
  again.stop();
});

test('sends no filter that is empty', async () => {
  const { filters, first } = vectors.pages.empty;
  const page = { status: 200, body: '{"items":[],"next_cursor":null}' };
  const { base, arrived, stop } = await startService([page]);
  expect(await Array.fromAsync(clientOf(base).collections.list(filters))).toEqual([]);
  expect(arrived.map(({ url }) => url)).toEqual([first]);
  stop();
});

test('gives up an attempt after its timeout, and a call when it is aborted', async () => {
  const { base, stop } = await startService(['hang', 'hang']);
  const client = new Hengfu({ base, key, secret, timeoutMs: 50, maxRetries: 0 });
  await expect(client.balance()).rejects.toThrow(ConnectionError);
  const patient = new Hengfu({ base, key, secret });
  const call = patient.balance({ signal: AbortSignal.timeout(50) });
  await expect(call).rejects.toThrow(expect.objectContaining({ name: 'TimeoutError' }));
  stop();
});

test('accepts plain HTTP on this machine only, and never shows the secret', () => {
  for (const base of ['http://pay.example', 'ftp://127.0.0.1', 'https://pay.example/path'])
    expect(() => new Hengfu({ base, key, secret })).toThrow(TypeError);
  expect(() => new Hengfu({ base: 'https://pay.example', key, secret: '' })).toThrow(TypeError);
  const client = new Hengfu({ base: 'https://pay.example/', key, secret });
  expect(JSON.stringify(client)).not.toContain(secret);
});

test('a header that cannot be sent is an error of the caller, and no call', async () => {
  const { base, arrived, stop } = await startService([]);
  const call = clientOf(base).collections.cancel('C1', { idempotencyKey: 'k\r\nX-Other: 1' });
  await expect(call).rejects.toThrow(TypeError);
  expect(arrived).toEqual([]);
  stop();
});
