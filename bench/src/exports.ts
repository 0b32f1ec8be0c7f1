import { readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { type Served, serve } from '@hengfu/server/testing/test-installation.ts';
import { signIn } from './console-session.ts';
import { copyOut } from './copy-out.sql.ts';
import { atLeast, atMost, type Figure, percentile } from './figures.ts';
import type { FilledInstallation } from './filled-installation.ts';

const wantedRows = 1_000_000;
const lookEveryMs = 100;
const restMs = 3000;
const quietCalls = 50;
const kibPerMib = 1024;
const yearDays = 365;

/**
 * A million of the merchant's collections to CSV and XLSX, beside a bare `COPY … TO STDOUT` of the same rows in the same
 * run: time, memory above rest, and what it does to other calls.
 */
export async function measureExports(installation: FilledInstallation): Promise<Figure[]> {
  const rows = Math.min(wantedRows, installation.collections);
  const from = new Date(Date.now() - (rows / installation.collections) * yearDays * 86_400_000).toISOString();
  const product = await serve(installation.ownerUrl, installation.folder);
  try {
    const asked = { product, cookie: await signIn(product.url), from };
    await setTimeout(restMs);
    const rest = await memoryMib(product);
    const quietMs = await quietCall(asked);
    const copy = await copyBare(installation, from);
    const figures: Figure[] = [
      { name: 'rows', value: copy.rows, unit: '' },
      { name: 'bare COPY', value: copy.seconds, unit: 's' },
      { name: 'memory at rest', value: rest, unit: 'MiB' },
      { name: 'other calls at rest, p95', value: quietMs, unit: 'ms' },
    ];
    for (const format of ['csv', 'xlsx'] as const) {
      const run = await exportOnce(asked, format);
      figures.push({ name: format, value: run.seconds, unit: 's' });
      const speed = copy.seconds / run.seconds;
      if (format === 'csv') figures.push(atLeast('csv, of the speed of COPY', speed, '×', 0.5));
      else figures.push({ name: 'xlsx, of the speed of COPY', value: speed, unit: '×' });
      figures.push(
        atMost(`${format}: memory above rest`, run.mostMib - rest, 'MiB', 96),
        atMost(`${format}: other calls meanwhile, p95, of those at rest`, run.otherMs / quietMs, '×', 2),
      );
    }
    return figures;
  } finally {
    await product.stop();
  }
}

/** The same rows and columns by COPY, thrown away as they come. */
async function copyBare(
  installation: FilledInstallation,
  from: string,
): Promise<{ seconds: number; rows: number }> {
  return installation.runtime.services.database.asMerchant(installation.merchant.id, async (tx) => {
    const begunAt = performance.now();
    const rows = await copyOut(tx, from);
    return { seconds: (performance.now() - begunAt) / 1000, rows };
  });
}

interface Asked {
  product: Served;
  cookie: string;
  /** From when on collections are exported. */
  from: string;
}

/** Asks for an export and looks on until its file is there. */
async function exportOnce(
  { product, cookie, from }: Asked,
  format: 'csv' | 'xlsx',
): Promise<{ seconds: number; mostMib: number; otherMs: number }> {
  const path = `${product.url}/api/merchant/exports`;
  const token = decodeURIComponent(/XSRF-TOKEN=([^;]+)/.exec(cookie)?.[1] ?? '');
  const begunAt = performance.now();
  const made = await fetch(path, {
    method: 'POST',
    headers: { cookie, 'x-xsrf-token': token, 'content-type': 'application/json' },
    body: JSON.stringify({
      list: 'collections',
      format,
      language: 'en',
      zone: 'Asia/Shanghai',
      filters: { createdFrom: from },
    }),
  });
  if (!made.ok) throw new Error(`the export was refused: ${made.status} ${await made.text()}`);
  const calls: number[] = [];
  for (let mostMib = 0; ; ) {
    await setTimeout(lookEveryMs);
    mostMib = Math.max(mostMib, await memoryMib(product));
    calls.push(await otherCall({ product, cookie, from }));
    const { data } = (await (await fetch(path, { headers: { cookie } })).json()) as {
      data: { status: string }[];
    };
    const status = data[0]?.status;
    if (status === 'failed') throw new Error('the export failed');
    if (status !== 'successful') continue;
    return { seconds: (performance.now() - begunAt) / 1000, mostMib, otherMs: percentile(calls, 0.95) };
  }
}

/** Milliseconds of what somebody else asks: the first page of a list. */
async function otherCall({ product, cookie }: Asked): Promise<number> {
  const begunAt = performance.now();
  await (await fetch(`${product.url}/api/merchant/collections`, { headers: { cookie } })).arrayBuffer();
  return performance.now() - begunAt;
}

async function quietCall(asked: Asked): Promise<number> {
  const times: number[] = [];
  for (let call = 0; call < quietCalls; call++) {
    times.push(await otherCall(asked));
    await setTimeout(lookEveryMs / 10);
  }
  return percentile(times, 0.95);
}

/** Memory of a process (Linux only). */
async function memoryMib({ process }: Served): Promise<number> {
  const status = await readFile(`/proc/${process.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / kibPerMib;
}
