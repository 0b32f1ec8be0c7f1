import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { DayDetail } from '@hengfu/contract/staff/statement-days';
import type { Runtime } from '@hengfu/server/composition/runtime.ts';
import { guardsOf } from '@hengfu/server/db/guards.ts';
import { makeMonths } from '@hengfu/server/db/months.ts';
import { asOwner } from '@hengfu/server/db/owner.ts';
import { runBulk } from '@hengfu/server/testing/bulk.sql.ts';
import { type KeyedMerchant, makeMerchants } from '@hengfu/server/testing/keyed-merchants.ts';
import { type Served, serve, type TestInstallation } from '@hengfu/server/testing/test-installation.ts';
import { Visitor } from '@hengfu/server/testing/visitor.ts';
import { addMembers, officeEnv } from '@hengfu/torture/fuzz/office.ts';
import { request } from 'undici';
import { addUser, signIn } from './console-session.ts';
import { atMost, type Figure, percentile } from './figures.ts';
import { fillInstallation } from './filled-installation.ts';
import { memoryMib } from './process-memory.ts';
import { withProcessorTime } from './processor-time.ts';
import { dayOfMovements, movementsOf } from './reconciliation.sql.ts';

const merchantCount = 100;
const lineCount = 1_000_000;
const limitSeconds = 60;
const maxMemoryMiB = 300;
const quietMs = 20_000;
/** Faults that the matching has to find among the lines. */
const faultCount = 100;
const xsrfCookie = 'STAFF-XSRF-TOKEN';

const csv = {
  delimiter: 'comma',
  encoding: 'utf-8',
  headingRow: 1,
  decimalMark: 'point',
  dateOrder: 'ymd',
  amountForm: 'signed',
  reference: 'number',
  amount: 'amount',
  credit: '',
  debit: '',
  direction: '',
  creditWord: '',
  date: '',
  bankReference: 'bank',
  text: '',
} as const;

/**
 * Matches a statement of a million lines, as CSV and as camt.053, while a merchant uses the console: how long it takes, how much memory
 * the process of the back office needs, and how much slower the merchant's calls become.
 */
export async function measureReconciliation(): Promise<Figure[]> {
  const day = dayOfMovements();
  const { installation, filled: merchants } = await fillInstallation(({ runtime, ownerUrl }) =>
    fillDay(runtime, ownerUrl, day),
  );
  const lanes = merchants.map(({ id }) => String((id * 7919n) % 10_000n).padStart(4, '0'));
  const { FINANCE } = await addMembers(installation);
  const product = await serve(installation.ownerUrl, installation.folder);
  const office = await serve(installation.ownerUrl, installation.folder, officeEnv);
  try {
    const member = new Visitor(office.url, xsrfCookie);
    await member.get('/api/staff/csrf-cookie');
    await member.post('/api/staff/login', { email: FINANCE.email, password: FINANCE.password });
    await member.send('PUT', '/api/staff/reconciliation/mappings/CN_BANK', {
      zone: 'UTC',
      dayEnds: '00:00',
      csv,
    });
    const cookie = await signIn(product.url);
    const call = () => fetch(`${product.url}/api/merchant/dashboard`, { headers: { cookie } });
    const quiet = await timesOf(call, pause(quietMs));
    const figures: Figure[] = [];
    for (const format of ['csv', 'camt053'] as const) {
      const file = join(installation.folder, `statement.${format}`);
      const text = format === 'csv' ? csvOf(lanes) : camtOf(lanes, day);
      await pipeline(Readable.from(text), createWriteStream(file));
      const upload = { installation, office, member, day, format, file };
      figures.push(...(await measureUpload(upload, call, percentile(quiet, 0.5))));
      await member.send('DELETE', `/api/staff/reconciliation/days/CN_BANK/${day}/statement`);
    }
    return [{ name: 'others’ calls before, p95', value: percentile(quiet, 0.95), unit: 'ms' }, ...figures];
  } finally {
    await office.stop();
    await product.stop();
    await installation.close();
  }
}

/** Posts a million movements of a day. */
async function fillDay(runtime: Runtime, ownerUrl: string, day: string): Promise<KeyedMerchant[]> {
  await asOwner(ownerUrl, (client) => makeMonths(client, new Date(day), new Date()));
  const made = await makeMerchants(runtime, merchantCount);
  await addUser(runtime, made[0]?.id ?? 0n);
  const guards = await guardsOf(ownerUrl, ['ledger_transfer', 'ledger_entry']);
  await runBulk(ownerUrl, [
    ...guards.off,
    ...movementsOf(day, lineCount / merchantCount),
    ...guards.on.map(({ step }) => step),
    ...guards.closed,
  ]);
  return made;
}

interface Upload {
  installation: TestInstallation;
  office: Served;
  member: Visitor;
  day: string;
  format: 'csv' | 'camt053';
  file: string;
}

/** @param quietMs the median time of a call before */
async function measureUpload(
  upload: Upload,
  call: () => Promise<Response>,
  quietMs: number,
): Promise<Figure[]> {
  const { format, office, installation } = upload;
  const before = await memoryMib(office);
  let peak = before;
  const watch = setInterval(async () => {
    peak = Math.max(peak, await memoryMib(office));
  }, 50);
  const startedAt = performance.now();
  const loading = withProcessorTime(
    { serverPid: office.process.pid ?? 0, clusterFolder: join(installation.folder, 'postgres/cluster') },
    () => load(upload),
    () => lineCount,
  );
  const busy = await timesOf(call, loading);
  const seconds = (performance.now() - startedAt) / 1000;
  clearInterval(watch);
  const { result, figures } = await loading;
  const { detail, polls } = result;
  const found = detail.kinds.oursOnly + detail.kinds.amount;
  if (detail.state !== 'open' || found !== faultCount)
    throw new Error(`not matched: ${JSON.stringify(detail)}`);
  return [
    atMost('upload, load and match a million lines', seconds, 's', limitSeconds),
    atMost('memory that it adds', peak - before, 'MiB', maxMemoryMiB),
    atMost('others’ calls, median, of their quiet median', percentile(busy, 0.5) / quietMs, '×', 2),
    { name: 'others’ calls, p95', value: percentile(busy, 0.95), unit: 'ms' },
    { name: 'calls of the same process, p95', value: percentile(polls, 0.95), unit: 'ms' },
    ...figures.map((figure) => ({ ...figure, name: `each line, ${figure.name}` })),
  ].map((figure) => ({ ...figure, name: `${format}: ${figure.name}` }));
}

/** Makes calls one after the other until some work is done; returns their times in milliseconds. */
async function timesOf(call: () => Promise<Response>, work: Promise<unknown>): Promise<number[]> {
  let isDone = false;
  const done = () => {
    isDone = true;
  };
  work.then(done, done);
  const times: number[] = [];
  while (!isDone) {
    const startedAt = performance.now();
    const reply = await call();
    await reply.text();
    if (!reply.ok) throw new Error(`the call was refused: ${reply.status}`);
    times.push(performance.now() - startedAt);
  }
  return times;
}

/** Uploads a statement, and waits until it is matched; returns the day, and how long each look at it took in milliseconds. */
async function load({
  office,
  member,
  day,
  format,
  file,
}: Upload): Promise<{ detail: DayDetail; polls: number[] }> {
  const path = `/api/staff/reconciliation/days/CN_BANK/${day}`;
  // Not fetch, which keeps a copy of all that it sends.
  const reply = await request(`${office.url}${path}/statement?format=${format}&name=statement`, {
    method: 'POST',
    headers: {
      cookie: [...member.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      'x-xsrf-token': member.cookies.get(xsrfCookie) ?? '',
      'content-type': 'application/octet-stream',
    },
    body: createReadStream(file),
  });
  const text = await reply.body.text();
  if (reply.statusCode >= 300) throw new Error(`the upload was refused: ${reply.statusCode} ${text}`);
  const polls: number[] = [];
  for (;;) {
    const startedAt = performance.now();
    const { json } = await member.get(path);
    polls.push(performance.now() - startedAt);
    if (json.data.state !== 'loading') return { detail: json.data, polls };
    await pause(200);
  }
}

/** The movements as the bank has them: some are missing, and some have another amount. */
function* rowsOf(lanes: readonly string[]): Generator<{ number: string; minor: number }> {
  const each = lineCount / lanes.length;
  for (const [at, lane] of lanes.entries())
    for (let number = 1; number <= each; number++) {
      const isFaulty = number === 1;
      if (isFaulty && at % 2 === 0) continue;
      yield { number: numberOf(lane, number), minor: 10_000 + number + (isFaulty ? 1 : 0) };
    }
}

/** The number of a movement, as `movementsOf` posts it. */
const numberOf = (lane: string, number: number) => `C261101000000${lane}${String(number).padStart(6, '0')}`;
const amountOf = (minor: number) => `${Math.floor(minor / 100)}.${String(minor % 100).padStart(2, '0')}`;

function* csvOf(lanes: readonly string[]): Generator<string> {
  yield 'number,amount,bank\n';
  for (const { number, minor } of rowsOf(lanes)) yield `${number},${amountOf(minor)},b-${number}\n`;
}

function* camtOf(lanes: readonly string[], day: string): Generator<string> {
  yield '<?xml version="1.0" encoding="UTF-8"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt>\n';
  for (const { number, minor } of rowsOf(lanes))
    yield `<Ntry><Amt Ccy="CNY">${amountOf(minor)}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><ValDt><Dt>${day}</Dt></ValDt><AcctSvcrRef>b-${number}</AcctSvcrRef>` +
      `<NtryDtls><TxDtls><Refs><EndToEndId>${number}</EndToEndId></Refs></TxDtls></NtryDtls></Ntry>\n`;
  yield '</Stmt></BkToCstmrStmt></Document>\n';
}
