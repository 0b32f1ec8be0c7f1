import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { DayDetail } from '@hengfu/contract/staff/statement-days';
import { guardsOf } from '@hengfu/server/db/guards.ts';
import { makeMonths } from '@hengfu/server/db/months.ts';
import { asOwner } from '@hengfu/server/db/owner.ts';
import { runBulk } from '@hengfu/server/testing/bulk.sql.ts';
import { makeMerchants } from '@hengfu/server/testing/keyed-merchants.ts';
import { serve } from '@hengfu/server/testing/test-installation.ts';
import { TestStaff } from '@hengfu/server/testing/test-staff.ts';
import type { Visitor } from '@hengfu/server/testing/visitor.ts';
import { addUser, signIn } from './console-session.ts';
import { atMost, type Figure, percentile } from './figures.ts';
import { fillInstallation } from './filled-installation.ts';
import { dayOfMovements, movementsOf } from './reconciliation.sql.ts';

const merchantCount = 100;
const lineCount = 1_000_000;
const limitSeconds = 60;
const maxMemoryMiB = 300;
const quietMs = 20_000;
/** Faults that the matching has to find among the lines. */
const faultCount = 100;

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
  const { installation, filled: merchants } = await fillInstallation(async ({ runtime, ownerUrl }) => {
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
  });
  const { folder } = installation;
  const lanes = merchants.map(({ id }) => String((id * 7919n) % 10_000n).padStart(4, '0'));
  const product = await serve(installation.ownerUrl, installation.folder);
  const staff = await TestStaff.start({ ownerUrl: installation.ownerUrl, dataDirectory: folder });
  try {
    const member = await staff.member('finance', 'FINANCE');
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
      const file = join(folder, `statement.${format}`);
      await pipeline(
        Readable.from(format === 'csv' ? csvOf(lanes) : camtOf(lanes, day)),
        createWriteStream(file),
      );
      global.gc?.();
      const before = process.memoryUsage.rss();
      let peak = before;
      const watch = setInterval(() => {
        peak = Math.max(peak, process.memoryUsage.rss());
      }, 50);
      const startedAt = performance.now();
      const loading = upload({ staff, member, day, format, file });
      const busy = await timesOf(call, loading);
      const seconds = (performance.now() - startedAt) / 1000;
      clearInterval(watch);
      const detail = await loading;
      const found = detail.kinds.oursOnly + detail.kinds.amount;
      if (detail.state !== 'open' || found !== faultCount)
        throw new Error(`not matched: ${JSON.stringify(detail)}`);
      const ratio = percentile(busy, 0.5) / percentile(quiet, 0.5);
      figures.push(
        atMost(`${format}: upload, load and match a million lines`, seconds, 's', limitSeconds),
        atMost(`${format}: memory that it adds`, (peak - before) / 2 ** 20, 'MiB', maxMemoryMiB),
        atMost(`${format}: others’ calls, median, of their quiet median`, ratio, '×', 2),
        { name: `${format}: others’ calls, p95`, value: percentile(busy, 0.95), unit: 'ms' },
      );
      await member.send('DELETE', `/api/staff/reconciliation/days/CN_BANK/${day}/statement`);
    }
    return [{ name: 'others’ calls before, p95', value: percentile(quiet, 0.95), unit: 'ms' }, ...figures];
  } finally {
    await staff.close();
    await product.stop();
    await installation.close();
  }
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

interface Upload {
  staff: TestStaff;
  member: Visitor;
  day: string;
  format: string;
  file: string;
}

/** Uploads a statement, and waits until it is matched. */
async function upload({ staff, member, day, format, file }: Upload): Promise<DayDetail> {
  const path = `/api/staff/reconciliation/days/CN_BANK/${day}`;
  const reply = await fetch(`${staff.url}${path}/statement?format=${format}&name=statement`, {
    method: 'POST',
    headers: {
      cookie: [...member.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      'x-xsrf-token': member.cookies.get('STAFF-XSRF-TOKEN') ?? '',
      'content-type': 'application/octet-stream',
    },
    body: Readable.toWeb(createReadStream(file)) as ReadableStream,
    duplex: 'half',
  } as RequestInit);
  if (!reply.ok) throw new Error(`the upload was refused: ${reply.status} ${await reply.text()}`);
  for (;;) {
    const { json } = await member.get(path);
    if (json.data.state !== 'loading') return json.data;
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
