import { everyEndpoint } from '@hengfu/server/testing/endpoints.ts';
import { readOperations } from '@hengfu/torture/fuzz/document.ts';
import { type FuzzTarget, openFuzzTarget } from '@hengfu/torture/fuzz/target.ts';
import { Random } from '@hengfu/torture/torture.ts';
import { atMost, type Figure, percentile } from './figures.ts';
import { type Costly, HostileSearch } from './hostile-search.ts';
import { Pulse } from './pulse.ts';

const climbSeconds = 120;
const remeasurements = 5;
const shownRoutes = 12;
const plainReads = 200;
/** A call may delay others by at most the duration of this many plain reads. */
const maxPlainReads = 20;

/** Searches for the costliest call of each route, by how long it delays other calls. */
export async function measureHostile(seed: number): Promise<Figure[]> {
  const target = await openFuzzTarget();
  const pulse = new Pulse(target.url);
  try {
    const before = await plainReadMs(target);
    const search = new HostileSearch(target, pulse, new Random(seed), await everyEndpoint());
    // The pulse is that of the process that serves merchants.
    const operations = (await readOperations(target)).filter(({ door }) => door === 'merchants');
    await search.sweep(operations);
    await search.climb(operations, climbSeconds);
    const costly: Costly[] = [];
    for (const each of search.worst.slice(0, shownRoutes))
      costly.push(await search.remeasure(each, remeasurements));
    // The minimum of two, because other work on the machine may have slowed one of them.
    const plainMs = Math.min(before, await plainReadMs(target));
    const idleMs = await pulse.longestWait(async () => undefined);
    const limitMs = plainMs * maxPlainReads;
    return [
      { name: 'seed', value: seed, unit: '' },
      { name: 'calls tried', value: search.tried, unit: '' },
      { name: 'routes', value: operations.length, unit: '' },
      { name: 'a plain authenticated read', value: plainMs, unit: 'ms' },
      { name: 'others’ wait without hostile calls', value: idleMs, unit: 'ms' },
      ...costly
        .toSorted((one, other) => other.heldMs - one.heldMs)
        .map(({ candidate: { operation, who, shape }, heldMs }) => ({
          name: `${operation.name}: ${shape}, by ${who}`,
          value: heldMs,
          unit: 'ms',
        })),
      atMost(
        'others’ wait for the costliest call',
        Math.max(...costly.map(({ heldMs }) => heldMs)),
        'ms',
        Math.round(limitMs),
      ),
    ];
  } finally {
    await pulse.close();
    await target.close();
  }
}

/** Median duration, in milliseconds, of the call that returns the current user. */
async function plainReadMs({ clients, people, access }: FuzzTarget): Promise<number> {
  await access.restore();
  const { cookies } = people.admin;
  const cookie = Object.entries(cookies).map(([name, value]) => `${name}=${value}`);
  const samples: number[] = [];
  for (let read = 0; read < plainReads; read++) {
    const startedAt = performance.now();
    const { status } = await clients.merchants.send({
      method: 'GET',
      target: '/api/merchant/user',
      headers: { cookie: cookie.join('; ') },
      body: undefined,
    });
    if (status !== 200) throw new Error(`a plain read was refused: ${status}`);
    samples.push(performance.now() - startedAt);
  }
  return percentile(samples, 0.5);
}
