import { readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { addPerson, signIn } from './console-session.ts';
import { atMost, type Figure, percentile } from './figures.ts';
import { loadCollections } from './loader.sql.ts';
import { makeMerchants } from './merchants.ts';
import { openBed, serve } from './product.ts';

const defaultRows = 1_000_000;
const lookEveryMs = 100;
const restMs = 3000;
const kibPerMib = 1024;
/** Memory may differ so much between two runs of anything. */
const flat = 1.25;

/** Exports of one merchant's collections, at a quarter of the rows and at all: memory must not grow with them. */
export async function measureExports(rows = defaultRows): Promise<Figure[]> {
  const [few, many] = [await measureAt(rows / 4), await measureAt(rows)];
  return [
    ...few.figures,
    ...many.figures,
    atMost('memory while all is written, of that while a quarter is', many.mostMib / few.mostMib, '×', flat),
  ];
}

async function measureAt(rows: number): Promise<{ figures: Figure[]; mostMib: number }> {
  const bed = await openBed();
  try {
    const [merchant] = await makeMerchants(bed.runtime, 1);
    if (!merchant) throw new Error('no merchant');
    await addPerson(bed.runtime, merchant.id);
    await loadCollections(bed.runtime.services.database, bed.ownerUrl, merchant.id, rows);
    const product = await serve(bed.ownerUrl, bed.folder);
    const memory = () => memoryMib(product.process.pid);
    const cookie = await signIn(product.url);
    await setTimeout(restMs);
    const figures: Figure[] = [
      { name: `memory at rest, beside ${rows} rows`, value: await memory(), unit: 'MiB' },
    ];
    let mostMib = 0;
    for (const format of ['csv', 'xlsx'] as const) {
      const run = await exportOnce(product.url, cookie, format, memory);
      mostMib = Math.max(mostMib, run.mostMib);
      const name = `${format} of ${rows} rows`;
      figures.push(
        { name, value: run.seconds, unit: 's' },
        { name: `${name}: memory at most`, value: run.mostMib, unit: 'MiB' },
        { name: `${name}: other calls meanwhile, p95`, value: run.otherCallsMs, unit: 'ms' },
      );
    }
    await product.stop();
    return { figures, mostMib };
  } finally {
    await bed.close();
  }
}

/** Asks for an export and looks on until its file is there. */
async function exportOnce(
  url: string,
  cookie: string,
  format: 'csv' | 'xlsx',
  memory: () => Promise<number>,
): Promise<{ seconds: number; mostMib: number; otherCallsMs: number }> {
  const path = `${url}/api/merchant/exports`;
  const token = decodeURIComponent(/XSRF-TOKEN=([^;]+)/.exec(cookie)?.[1] ?? '');
  const begun = performance.now();
  const made = await fetch(path, {
    method: 'POST',
    headers: { cookie, 'x-xsrf-token': token, 'content-type': 'application/json' },
    body: JSON.stringify({ list: 'collections', format, language: 'en', zone: 'Asia/Shanghai' }),
  });
  if (!made.ok) throw new Error(`the export was refused: ${made.status} ${await made.text()}`);
  const calls: number[] = [];
  for (let mostMib = 0; ; ) {
    await setTimeout(lookEveryMs);
    mostMib = Math.max(mostMib, await memory());
    const askedAt = performance.now();
    const { data } = (await (await fetch(path, { headers: { cookie } })).json()) as {
      data: { status: string }[];
    };
    calls.push(performance.now() - askedAt);
    const status = data[0]?.status;
    if (status === 'failed') throw new Error('the export failed');
    if (status !== 'successful') continue;
    const otherCallsMs = percentile(calls, 0.95);
    return { seconds: (performance.now() - begun) / 1000, mostMib, otherCallsMs };
  }
}

/** Memory of a process (Linux only). */
async function memoryMib(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / kibPerMib;
}
