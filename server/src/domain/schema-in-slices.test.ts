import { expect, it } from 'vitest';
import * as z from 'zod';
import { parseInSlices } from './schema-in-slices.ts';

const schema = z.strictObject({
  rows: z.array(z.object({ amount: z.string() })),
  lines: z.array(z.number().int().min(1)),
  inner: z.object({ names: z.array(z.object({ name: z.string() })) }),
});
const rows = Array.from({ length: 500 }, (_, index) => ({ amount: String(index) }));
const right = { rows, lines: [1, 2], inner: { names: [{ name: 'a' }] } };

it('validates the items of a short array next to a long one', async () => {
  expect(await parseInSlices(schema, right)).toEqual({ data: right });
  const wrong: [object, (string | number)[]][] = [
    [{ lines: [1, 'two'] }, ['lines', 1]],
    [{ inner: { names: [{ name: 7 }] } }, ['inner', 'names', 0, 'name']],
    [{ rows: [...rows, { amount: 1 }] }, ['rows', 500, 'amount']],
  ];
  for (const [part, path] of wrong) {
    const { issues } = await parseInSlices(schema, { ...right, ...part });
    expect(issues?.map((issue) => issue.path)).toEqual([path]);
  }
});

it('strips unknown fields from the items of a short array, as from those of a long one', async () => {
  const more = { ...right, inner: { names: [{ name: 'a', secret: 'b' }] } };
  expect(await parseInSlices(schema, more)).toEqual({ data: right });
});
