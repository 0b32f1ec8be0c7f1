import { expect, it } from 'vitest';
import { ChangeFeed } from './change-feed.ts';
import type { Change } from './database.ts';

/** The messages that a feed sends for some changes. */
async function messagesOf(report: (feed: ChangeFeed) => void): Promise<string[]> {
  const sent: string[] = [];
  const feed = new ChangeFeed({
    send: async (_channel, text) => sent.push(text),
    listenUrl: '',
    onError: (error) => {
      throw error;
    },
  });
  report(feed);
  await feed.close();
  return sent;
}

it('splits any number of ended sessions into messages that PostgreSQL accepts', async () => {
  const people = Array.from(
    { length: 3000 },
    (_, index): Change => `sessions:${BigInt(1_000_000_000 + index)}`,
  );
  const sent = await messagesOf((feed) => feed.changed(7n, people));
  expect(Math.max(...sent.map((text) => Buffer.byteLength(text)))).toBeLessThan(8000);
  const parts = sent.flatMap((text) => JSON.parse(text) as [string, string[]][]);
  expect(parts.every(([merchantId]) => merchantId === '7')).toBe(true);
  expect(parts.flatMap(([, changes]) => changes)).toEqual(people);
});

it('combines the changes of many merchants into few messages', async () => {
  const sent = await messagesOf((feed) => {
    for (let id = 1n; id <= 1000n; id++) feed.changed(id, ['payouts', 'account']);
  });
  expect(sent.length).toBeLessThan(10);
  expect(sent.flatMap((text) => JSON.parse(text))).toHaveLength(1000);
});
