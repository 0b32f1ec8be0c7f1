import { eventsPath } from '@hengfu/contract/events';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { type TestMerchant, TestProduct } from '../testing/test-product.ts';
import type { Visitor } from '../testing/visitor.ts';

let product: TestProduct;
let merchant: TestMerchant;
let person: Visitor;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  merchant = await product.merchant('live');
  person = await product.person(merchant);
});
afterAll(() => product.close());

/** Opens the stream and resolves with a reader of its messages. */
async function openStream(visitor: Visitor) {
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const response = await fetch(product.url + eventsPath, { headers: { cookie } });
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const next = async (): Promise<{ topics: string[] }> => {
    for (;;) {
      const match = /data: (.*)\n\n/.exec(text);
      if (match?.[1]) {
        text = text.slice(match.index + match[0].length);
        return JSON.parse(match[1]);
      }
      const part = await reader?.read();
      if (!part || part.done) throw new Error('the stream has ended');
      text += part.value;
    }
  };
  return { next, cancel: () => reader?.cancel() };
}

it('tells an open screen what changed, soon after it did', async () => {
  const stream = await openStream(person);
  const startedAt = performance.now();
  await merchant.program.create('seen');
  expect(await stream.next()).toEqual({ topics: ['collections', 'dashboard'] });
  expect(performance.now() - startedAt).toBeLessThan(2000);
  await stream.cancel();
});

it('tells one merchant nothing of another', async () => {
  const stream = await openStream(person);
  const other = await product.merchant('unheard');
  await other.program.create('theirs');
  await merchant.program.create('ours');
  const { topics } = await stream.next();
  expect(topics).toContain('collections');
  const second = await Promise.race([
    stream.next(),
    new Promise((resolve) => setTimeout(resolve, 400, 'nothing more')),
  ]);
  expect(second).toBe('nothing more');
  await stream.cancel();
});
