import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { queueCallback } from '@hengfu/server/callbacks/callbacks.ts';
import { makeMerchants } from '@hengfu/server/testing/keyed-merchants.ts';
import { startSilentServer } from '@hengfu/server/testing/silent-server.ts';
import { openServices, openTestInstallation } from '@hengfu/server/testing/test-installation.ts';
import { startWorkers } from '@hengfu/server/testing/workers.ts';
import { torture } from './torture.ts';

interface Size {
  /** Callbacks of one merchant to a server that never replies. */
  unanswered: number;
  /** Callbacks of other merchants, whose delay is measured. */
  samples: number;
  /** How many samples may be late: a busy build server sometimes stalls for seconds. */
  mayBeLate: number;
}

const workerCount = 2;
const merchantCount = 6;
const sampleEveryMs = 250;
const limitMs = 2000;
const queuedPerTransaction = 500;
/** Concurrent callbacks from one worker to one merchant (server/src/composition/fair-lines.ts). */
const perWorker = 16;

/** Measures how long callbacks take from commit to arrival while another merchant's server never replies. */
export const fair = torture<Size>({
  title: 'one merchant has thousands of callbacks to a server that never answers',
  short: { unanswered: 1000, samples: 20, mayBeLate: 1 },
  long: { unanswered: 10_000, samples: 400, mayBeLate: 0 },
  async run({ unanswered, samples, mayBeLate }, random) {
    const installation = await openTestInstallation();
    const silent = await startSilentServer();
    const shop = await startShop();
    const runtimes = await Promise.all(
      Array.from({ length: workerCount }, () =>
        openServices(installation.ownerUrl, installation.folder, { demo: true }),
      ),
    );
    for (const runtime of runtimes) await runtime.feed.start();
    const workers = runtimes.map((runtime) => startWorkers(runtime, installation.ownerUrl));
    try {
      const { database } = installation.runtime.services;
      const [first, ...others] = await makeMerchants(installation.runtime, merchantCount);
      const queue = (merchantId: bigint, url: string, count: number) =>
        database.asMerchant(merchantId, async (tx) => {
          for (let number = 0; number < count; number++)
            await queueCallback(tx, {
              subjectKind: 'payout',
              subjectNo: randomUUID(),
              event: 'payout.processed',
              url,
              body: '{}',
            });
        });
      for (let queued = 0; queued < unanswered; queued += queuedPerTransaction)
        await queue(first?.id ?? 0n, silent.url, Math.min(queuedPerTransaction, unanswered - queued));
      const waitsMs: number[] = [];
      for (let sample = 0; sample < samples; sample++) {
        const path = `/${sample}`;
        const arrived = shop.arrival(path);
        await queue(random.of(others).id, shop.url + path, 1);
        const committedAt = performance.now();
        waitsMs.push((await arrived) - committedAt);
        await pause(sampleEveryMs);
      }
      waitsMs.sort((one, other) => one - other);
      const slowestMs = waitsMs.at(-1) ?? Infinity;
      const { most } = silent.connections();
      const late = waitsMs.filter((waitMs) => waitMs > limitMs);
      const faults = [
        ...(late.length > mayBeLate
          ? [`${late.length} callbacks of other merchants took up to ${Math.round(slowestMs)} ms`]
          : []),
        ...(most > perWorker * workerCount ? [`the silent server got ${most} concurrent calls`] : []),
      ];
      const counts = {
        'callbacks without a reply': unanswered,
        'callbacks of others': samples,
        'ms median': Math.round(waitsMs[Math.floor(waitsMs.length / 2)] ?? 0),
        'ms slowest': Math.round(slowestMs),
        'concurrent calls to the silent server': most,
      };
      return { counts, faults };
    } finally {
      await silent.close();
      await Promise.all(workers.map((worker) => worker.stop()));
      for (const runtime of runtimes) await runtime.close();
      await shop.close();
      await installation.close();
    }
  },
});

/** Starts a shop that replies immediately; `arrival` resolves with the time at which a path is called. */
async function startShop() {
  const waiting = new Map<string, (at: number) => void>();
  const server = createServer((request, response) => {
    request.resume();
    waiting.get(request.url ?? '')?.(performance.now());
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrival: (path: string) => new Promise<number>((resolve) => waiting.set(path, resolve)),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
