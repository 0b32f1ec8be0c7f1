import { randomBytes } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Runtime } from '@hengfu/server/composition/runtime.ts';
import { MerchantService } from '@hengfu/server/features/merchants/merchants.service.ts';
import { heavyPicture } from '@hengfu/server/testing/heavy-picture.ts';
import { openTestInstallation, serve } from '@hengfu/server/testing/test-installation.ts';
import { addUser, signIn, userOf } from './console-session.ts';
import { atMost, type Figure, percentile } from './figures.ts';

const tron = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const merchantCodes = ['pictures1', 'pictures2', 'pictures3', 'pictures4'];
const picturesPerMerchant = 4;
const pauseMs = 20;
const quietSeconds = 5;
const kibPerMib = 1024;
/** Limit for the memory that sixteen pictures may add: the decoder, and the pictures that wait for it. */
const maxGrowthMib = 400;

/** Measures the cost of sixteen simultaneous pictures of 16 megapixels, and their effect on other calls. */
export async function measurePictures(): Promise<Figure[]> {
  const installation = await openTestInstallation();
  try {
    await prepare(installation.runtime);
    const product = await serve(installation.ownerUrl, installation.folder);
    try {
      const { pid } = product.process;
      if (pid === undefined) throw new Error('the product’s process has no ID');
      return await measureAt(product.url, pid);
    } finally {
      await product.stop();
    }
  } finally {
    await installation.close();
  }
}

/** Creates merchants that may submit top-ups, and one that only reads, each with a user. */
async function prepare(runtime: Runtime): Promise<void> {
  const { services } = runtime;
  const admin = new MerchantService(services.database, services.secrets, 'operator:bench');
  for (const code of [...merchantCodes, 'reader']) {
    await admin.create({ code, name: code, currency: 'CNY', zone: 'Asia/Shanghai', cutOff: '00:00' });
    await addUser(runtime, (await admin.find(code)).id, userOf(code));
  }
  await services.withdrawalTerms.setRate('CNY', '7.15', 'operator:bench');
  const wallet = { network: 'TRC20', address: tron, minimumUsdtMinor: 1n } as const;
  await services.depositWallets.set(wallet, 'operator:bench');
}

async function measureAt(url: string, pid: number): Promise<Figure[]> {
  const cookies = await Promise.all(merchantCodes.map((code) => signIn(url, userOf(code))));
  const reader = await signIn(url, userOf('reader'));
  const screenshot = (await heavyPicture()).toString('base64');
  const quiet = await readWhile(url, reader, pause(quietSeconds * 1000));
  const restMib = await residentMib(pid, 'VmRSS');
  await writeFile(`/proc/${pid}/clear_refs`, '5');
  const topups = cookies.flatMap((cookie) =>
    Array.from({ length: picturesPerMerchant }, () => ({ cookie, body: bodyWith(screenshot) })),
  );
  const startedAt = performance.now();
  const sent = topups.map(({ cookie, body }) => submit(url, cookie, body));
  const meanwhile = await readWhile(url, reader, Promise.all(sent));
  const statuses = await Promise.all(sent);
  const seconds = (performance.now() - startedAt) / 1000;
  const signInStartedAt = performance.now();
  const more = cookies.map((cookie) => submit(url, cookie, bodyWith(screenshot)));
  await signIn(url, userOf('reader'));
  const signInMs = performance.now() - signInStartedAt;
  await Promise.all(more);
  const peakMib = await residentMib(pid, 'VmHWM');
  const decoderMib = await residentMib(await decoderOf(pid), 'VmHWM');
  const count = (status: number) => statuses.filter((each) => each === status).length;
  return [
    { name: 'pictures at once', value: sent.length, unit: '' },
    { name: 'accepted (201)', value: count(201), unit: '' },
    { name: 'rate-limited (429)', value: count(429), unit: '' },
    { name: 'until the last answer', value: seconds, unit: 's' },
    { name: 'memory at rest', value: restMib, unit: 'MiB' },
    { name: 'memory above rest, at its peak', value: peakMib - restMib, unit: 'MiB' },
    { name: 'memory of the decoder, at its peak', value: decoderMib, unit: 'MiB' },
    atMost('both', peakMib - restMib + decoderMib, 'MiB', maxGrowthMib),
    { name: 'others’ calls before, p95', value: percentile(quiet, 0.95), unit: 'ms' },
    { name: 'others’ calls meanwhile, median', value: percentile(meanwhile, 0.5), unit: 'ms' },
    { name: 'others’ calls meanwhile, p95', value: percentile(meanwhile, 0.95), unit: 'ms' },
    atMost('p95, meanwhile to before', percentile(meanwhile, 0.95) / percentile(quiet, 0.95), '×', 3),
    { name: 'others’ calls meanwhile, slowest', value: Math.max(...meanwhile), unit: 'ms' },
    { name: 'another user’s sign-in meanwhile', value: signInMs, unit: 'ms' },
  ];
}

/** Returns the body of a top-up with a unique transaction. */
function bodyWith(screenshot: string): Buffer {
  const transactionId = randomBytes(32).toString('hex');
  return Buffer.from(
    JSON.stringify({
      coin: 'USDT',
      amount: '100',
      network: 'TRC20',
      address: tron,
      transactionId,
      screenshot,
    }),
  );
}

/** Submits a top-up; returns the status of the reply. */
async function submit(url: string, cookie: string, body: Buffer): Promise<number> {
  const token = /XSRF-TOKEN=([^;]+)/.exec(cookie)?.[1] ?? '';
  const headers = {
    cookie,
    'x-xsrf-token': decodeURIComponent(token),
    'content-type': 'application/json',
  };
  const reply = await fetch(`${url}/api/merchant/topups`, {
    method: 'POST',
    headers,
    body: new Uint8Array(body),
  });
  await reply.arrayBuffer();
  return reply.status;
}

/** Makes a user's calls sequentially until some work is done; returns their durations in milliseconds. */
async function readWhile(url: string, cookie: string, work: Promise<unknown>): Promise<number[]> {
  const samples: number[] = [];
  let isDone = false;
  void work.finally(() => {
    isDone = true;
  });
  while (!isDone) {
    const startedAt = performance.now();
    const reply = await fetch(`${url}/api/merchant/user`, { headers: { cookie } });
    await reply.arrayBuffer();
    if (!reply.ok) throw new Error(`a call was refused: ${reply.status}`);
    samples.push(performance.now() - startedAt);
    await pause(pauseMs);
  }
  return samples;
}

/** Finds the child process that decodes pictures. */
async function decoderOf(pid: number): Promise<number> {
  for (const thread of await readdir(`/proc/${pid}/task`)) {
    const children = await readFile(`/proc/${pid}/task/${thread}/children`, 'utf8');
    for (const child of children.split(' ').filter(Boolean))
      if ((await readFile(`/proc/${child}/cmdline`, 'utf8')).includes('image-decoder')) return Number(child);
  }
  throw new Error('no decoder process is running');
}

async function residentMib(pid: number, figure: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`${figure}:\\s+(\\d+)`).exec(status)?.[1]) / kibPerMib;
}
