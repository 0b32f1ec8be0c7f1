import { expect, it } from 'vitest';
import { EntryArchive } from './entry-archive.ts';
import type { PartPlace } from './part-place.sql.ts';

const place = (name: string): PartPlace => ({ fileKey: name, offset: 0, bytes: 1 });

/** An archive whose reads end on command. */
function slowArchive() {
  const ends: (() => void)[] = [];
  let running = 0;
  let most = 0;
  const archive = new EntryArchive({
    readParts: async (places) => {
      most = Math.max(most, ++running);
      await new Promise<void>((end) => ends.push(end));
      running--;
      return places.map(({ fileKey }) => [`row of ${fileKey}`]);
    },
  });
  const next = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    ends.shift()?.();
  };
  return { archive, next, most: () => most, pending: () => ends.length };
}

it('reads the parts that work asks for, between its transactions', async () => {
  const { archive, next } = slowArchive();
  let open = 0;
  let attempts = 0;
  const working = archive.withParts(1n, async (readParts) => {
    attempts++;
    open++;
    try {
      const [first = []] = await readParts([place('a')]);
      const [second = [], third = []] = await readParts([place('b'), place('c')]);
      return [...first, ...second, ...third];
    } finally {
      open--;
    }
  });
  await next();
  expect(open).toBe(0);
  await next();
  expect(await working).toEqual(['row of a', 'row of b', 'row of c']);
  expect(attempts).toBe(3);
});

it('ends work that never has enough', async () => {
  const { archive, next } = slowArchive();
  let asked = 0;
  const working = archive.withParts(1n, (readParts) => readParts([place(String(++asked))]));
  const failed = expect(working).rejects.toThrow('not at hand');
  for (let round = 0; round < 5; round++) await next();
  await failed;
  expect(asked).toBeLessThan(6);
});

it('lets a merchant that asks for much wait for itself, and serves the others', async () => {
  const { archive, next, most, pending } = slowArchive();
  const read = (merchantId: bigint) =>
    archive
      .withParts(merchantId, (readParts) => readParts([place(String(merchantId))]))
      .then(
        () => 'read',
        (error: unknown) => (error as { code?: string }).code,
      );
  const greedy = Array.from({ length: 30 }, () => read(1n));
  await new Promise((resolve) => setImmediate(resolve));
  expect(pending()).toBe(1);
  const other = read(2n);
  await next();
  await next();
  expect(await other).toBe('read');
  for (let times = 0; times < 30; times++) await next();
  const outcomes = await Promise.all(greedy);
  expect(outcomes.filter((outcome) => outcome === 'too_many_requests').length).toBeGreaterThan(20);
  expect(outcomes.filter((outcome) => outcome === 'read').length).toBeGreaterThan(3);
  expect(most()).toBe(2);
});
