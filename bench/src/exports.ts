import { setTimeout } from 'node:timers/promises';
import { type Served, serve } from '@hengfu/server/testing/test-installation.ts';
import { signIn } from './console-session.ts';
import { copyOut } from './copy-out.sql.ts';
import { atLeast, atMost, type Figure, percentile } from './figures.ts';
import type { FilledInstallation } from './filled-installation.ts';
import { memoryMib } from './process-memory.ts';

const targetRows = 1_000_000;
const pollMs = 25;
/** The server returns the memory of its start after some quiet seconds. */
const restMs = 8000;
/** As long as the longer exports take: other calls alone make the server take memory for young objects, too. */
const quietMs = 30_000;
/** Exports of each format: one takes about two seconds, in which there are too few other calls for a percentile. */
const runs = 3;
const yearDays = 365;

/**
 * Exports a million of the merchant's collections to CSV and XLSX, and runs a bare `COPY … TO STDOUT` of the
 * same rows. Measures time, the effect on other calls, and the memory beyond that of a server that serves these other calls alone. Each
 * format has a server that has just started: the memory for other calls grows with their number, which is not the export's.
 */
export async function measureExports(installation: FilledInstallation): Promise<Figure[]> {
  const rows = Math.min(targetRows, installation.collections);
  const from = new Date(Date.now() - (rows / installation.collections) * yearDays * 86_400_000).toISOString();
  const copy = await copyBare(installation, from);
  const csv = await measureFormat(installation, from, 'csv');
  const xlsx = await measureFormat(installation, from, 'xlsx');
  return [
    { name: 'rows', value: copy.rows, unit: '' },
    { name: 'bare COPY', value: copy.seconds, unit: 's' },
    { name: 'csv', value: csv.seconds, unit: 's' },
    atLeast('csv, relative to COPY', copy.seconds / csv.seconds, '×', 0.5),
    ...csv.figures,
    { name: 'xlsx', value: xlsx.seconds, unit: 's' },
    atMost('xlsx, of the CSV’s time', xlsx.seconds / csv.seconds, '×', 3),
    ...xlsx.figures,
  ];
}

/** Exports to one format; returns the median time, and what it costs others. */
async function measureFormat(
  installation: FilledInstallation,
  from: string,
  format: 'csv' | 'xlsx',
): Promise<{ seconds: number; figures: Figure[] }> {
  const product = await serve(installation.ownerUrl, installation.folder);
  try {
    const context = { product, cookie: await signIn(product.url), from };
    await setTimeout(restMs);
    const quiet = await callMeanwhile(context, setTimeout(quietMs));
    const { seconds, peakMib, callsMs } = await exportRepeatedly(context, format);
    const quietP95 = percentile(quiet.callsMs, 0.95);
    const figures = [
      { name: `${format}: memory with other calls alone`, value: quiet.peakMib, unit: 'MiB' },
      { name: `${format}: other calls alone, p95`, value: quietP95, unit: 'ms' },
      atMost(`${format}: memory above that of other calls alone`, peakMib - quiet.peakMib, 'MiB', 96),
      atMost(
        `${format}: other calls meanwhile, p95, of those alone`,
        percentile(callsMs, 0.95) / quietP95,
        '×',
        2,
      ),
    ];
    return { seconds, figures };
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

/** Durations of other calls while something happened, and the memory of the product meanwhile. */
interface Meanwhile {
  peakMib: number;
  callsMs: readonly number[];
}

/** Makes other calls, one after the other, until something has ended. */
async function callMeanwhile(context: ExportContext, end: Promise<unknown>): Promise<Meanwhile> {
  let hasEnded = false;
  const ended = end.finally(() => {
    hasEnded = true;
  });
  const callsMs: number[] = [];
  let peakMib = 0;
  while (!hasEnded) {
    callsMs.push(await otherCall(context));
    peakMib = Math.max(peakMib, await memoryMib(context.product));
    await setTimeout(pollMs);
  }
  await ended;
  return { peakMib, callsMs };
}

/** Exports several times. Returns the median time, and what all runs together cost others. */
async function exportRepeatedly(
  context: ExportContext,
  format: 'csv' | 'xlsx',
): Promise<Meanwhile & { seconds: number }> {
  const all: (Meanwhile & { seconds: number })[] = [];
  for (let run = 0; run < runs; run++) {
    const exported = exportOnce(context, format);
    all.push({ ...(await callMeanwhile(context, exported)), seconds: await exported });
  }
  return {
    seconds: percentile(
      all.map(({ seconds }) => seconds),
      0.5,
    ),
    peakMib: Math.max(...all.map(({ peakMib }) => peakMib)),
    callsMs: all.flatMap(({ callsMs }) => callsMs),
  };
}

/** Requests an export, and waits until its file is ready. Returns the seconds that it took. */
async function exportOnce({ product, cookie, from }: ExportContext, format: 'csv' | 'xlsx'): Promise<number> {
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
  for (;;) {
    await setTimeout(4 * pollMs);
    const { data } = (await (await fetch(path, { headers: { cookie } })).json()) as {
      data: { status: string }[];
    };
    const status = data[0]?.status;
    if (status === 'failed') throw new Error('the export failed');
    if (status === 'successful') return (performance.now() - startedAt) / 1000;
  }
}

/** Milliseconds of another user's call: the first page of a list. */
async function otherCall({ product, cookie }: ExportContext): Promise<number> {
  const startedAt = performance.now();
  await (await fetch(`${product.url}/api/merchant/collections`, { headers: { cookie } })).arrayBuffer();
  return performance.now() - startedAt;
}
