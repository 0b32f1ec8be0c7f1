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
  dead: number;
  looks: number;
  /** How many of the looks may be late: a build server that does other work too stops for seconds now and then. */
  mayBeLate: number;
}

const workerCount = 2;
const merchantCount = 6;
const lookEveryMs = 250;
const limitMs = 2000;
const queuedAtOnce = 500;
/** What one worker sends to one merchant at once (server/src/composition/fair-lines.ts). */
const perWorker = 16;

/** A merchant's callbacks that nobody answers, and how long others' callbacks take meanwhile, from commit to arrival. */
export const fair = torture<Size>({
  title: 'one merchant has thousands of callbacks to a server that never answers',
  short: { dead: 1000, looks: 20, mayBeLate: 1 },
  long: { dead: 10_000, looks: 400, mayBeLate: 0 },
  async run({ dead, looks, mayBeLate }, random) {
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
          for (let each = 0; each < count; each++)
            await queueCallback(tx, {
              subjectKind: 'payout',
              subjectNo: randomUUID(),
              event: 'payout.processed',
              url,
              body: '{}',
            });
        });
      for (let queued = 0; queued < dead; queued += queuedAtOnce)
        await queue(first?.id ?? 0n, silent.url, Math.min(queuedAtOnce, dead - queued));
      const waits: number[] = [];
      for (let look = 0; look < looks; look++) {
        const path = `/${look}`;
        const arrived = shop.arrival(path);
        await queue(random.of(others).id, shop.url + path, 1);
        const committedAt = performance.now();
        waits.push((await arrived) - committedAt);
        await pause(lookEveryMs);
      }
      waits.sort((one, other) => one - other);
      const slowest = waits.at(-1) ?? Infinity;
      const { most } = silent.connections();
      const late = waits.filter((waitMs) => waitMs > limitMs);
      const faults = [
        ...(late.length > mayBeLate
          ? [`${late.length} callbacks of other merchants took up to ${Math.round(slowest)} ms`]
          : []),
        ...(most > perWorker * workerCount ? [`the silent server was called ${most} times at once`] : []),
      ];
      const counts = {
        'callbacks that nobody answers': dead,
        'callbacks of others': looks,
        'ms median': Math.round(waits[Math.floor(waits.length / 2)] ?? 0),
        'ms slowest': Math.round(slowest),
        'calls of the silent server at once': most,
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

/** A shop that answers at once, and says when a path was called. */
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
