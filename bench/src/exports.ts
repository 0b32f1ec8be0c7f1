import { setTimeout } from 'node:timers/promises';
import { type Served, serve } from '@hengfu/server/testing/test-installation.ts';
import { signIn } from './console-session.ts';
import { copyOut } from './copy-out.sql.ts';
import { atLeast, atMost, type Figure, percentile } from './figures.ts';
import type { FilledInstallation } from './filled-installation.ts';
import { memoryMib } from './process-memory.ts';

const targetRows = 1_000_000;
const pollMs = 100;
const restMs = 3000;
const quietCalls = 50;
const yearDays = 365;

/**
 * Exports a million of the merchant's collections to CSV and XLSX, and runs a bare `COPY … TO STDOUT` of the
 * same rows. Measures time, memory above rest, and the effect on other calls.
 */
export async function measureExports(installation: FilledInstallation): Promise<Figure[]> {
  const rows = Math.min(targetRows, installation.collections);
  const from = new Date(Date.now() - (rows / installation.collections) * yearDays * 86_400_000).toISOString();
  const product = await serve(installation.ownerUrl, installation.folder);
  try {
    const context = { product, cookie: await signIn(product.url), from };
    await setTimeout(restMs);
    const rest = await memoryMib(product);
    const quietMs = await quietCall(context);
    const copy = await copyBare(installation, from);
    const figures: Figure[] = [
      { name: 'rows', value: copy.rows, unit: '' },
      { name: 'bare COPY', value: copy.seconds, unit: 's' },
      { name: 'memory at rest', value: rest, unit: 'MiB' },
      { name: 'other calls at rest, p95', value: quietMs, unit: 'ms' },
    ];
    const csv = await exportOnce(context, 'csv');
    const xlsx = await exportOnce(context, 'xlsx');
    const loadOf = (format: string, { peakMib, otherMs }: ExportRun) => [
      atMost(`${format}: memory above rest`, peakMib - rest, 'MiB', 96),
      atMost(`${format}: other calls meanwhile, p95, of those at rest`, otherMs / quietMs, '×', 2),
    ];
    figures.push(
      { name: 'csv', value: csv.seconds, unit: 's' },
      atLeast('csv, relative to COPY', copy.seconds / csv.seconds, '×', 0.5),
      ...loadOf('csv', csv),
      { name: 'xlsx', value: xlsx.seconds, unit: 's' },
      atMost('xlsx, of the CSV’s time', xlsx.seconds / csv.seconds, '×', 3),
      ...loadOf('xlsx', xlsx),
    );
    return figures;
  } finally {
    await product.stop();
  }
}

/** Reads the same rows and columns with COPY and discards them. */
async function copyBare(
  installation: FilledInstallation,
  from: string,
): Promise<{ seconds: number; rows: number }> {
  return installation.runtime.services.database.asMerchant(installation.merchant.id, async (tx) => {
    const startedAt = performance.now();
    const rows = await copyOut(tx, from);
    return { seconds: (performance.now() - startedAt) / 1000, rows };
  });
}

interface ExportContext {
  product: Served;
  cookie: string;
  /** Exports collections created since this time. */
  from: string;
}

/** The time of an export, and what it cost others. */
interface ExportRun {
  seconds: number;
  peakMib: number;
  otherMs: number;
}

/** Requests an export and measures memory and other calls until its file is ready. */
async function exportOnce(
  { product, cookie, from }: ExportContext,
  format: 'csv' | 'xlsx',
): Promise<ExportRun> {
  const path = `${product.url}/api/merchant/exports`;
  const token = decodeURIComponent(/XSRF-TOKEN=([^;]+)/.exec(cookie)?.[1] ?? '');
  const startedAt = performance.now();
  const created = await fetch(path, {
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
  if (!created.ok) throw new Error(`the export was refused: ${created.status} ${await created.text()}`);
  const calls: number[] = [];
  for (let peakMib = 0; ; ) {
    await setTimeout(pollMs);
    peakMib = Math.max(peakMib, await memoryMib(product));
    calls.push(await otherCall({ product, cookie, from }));
    const { data } = (await (await fetch(path, { headers: { cookie } })).json()) as {
      data: { status: string }[];
    };
    const status = data[0]?.status;
    if (status === 'failed') throw new Error('the export failed');
    if (status !== 'successful') continue;
    return { seconds: (performance.now() - startedAt) / 1000, peakMib, otherMs: percentile(calls, 0.95) };
  }
}

/** Milliseconds of another user's call: the first page of a list. */
async function otherCall({ product, cookie }: ExportContext): Promise<number> {
  const startedAt = performance.now();
  await (await fetch(`${product.url}/api/merchant/collections`, { headers: { cookie } })).arrayBuffer();
  return performance.now() - startedAt;
}

async function quietCall(context: ExportContext): Promise<number> {
  const times: number[] = [];
  for (let call = 0; call < quietCalls; call++) {
    times.push(await otherCall(context));
    await setTimeout(pollMs / 10);
  }
  return percentile(times, 0.95);
}
