import { performance } from 'node:perf_hooks';
import type { KeyedMerchant } from '@hengfu/server/testing/keyed-merchants.ts';
import { endProcess } from '@hengfu/server/testing/product-process.ts';
import type { ShopProgram } from '@hengfu/server/testing/shop-program.ts';
import { until } from '@hengfu/server/testing/until.ts';
import { Harness, type Part, type ProductProcess, programsOf } from './harness.ts';
import { faultsOfLoad } from './load-books.ts';
import { SteadyLoad } from './steady-load.ts';
import { type Random, torture } from './torture.ts';

interface Size {
  /** Restarts of the only process. */
  restarts: number;
  /** Rolling restarts of two web processes and two workers. */
  rounds: number;
  clients: number;
  /** Payouts between two restarts. */
  between: number;
}

interface Context {
  harness: Harness;
  size: Size;
  random: Random;
  faults: string[];
  counts: Record<string, number>;
}

/** SIGTERM under load: every request that began before the signal is answered, and nothing is lost. */
export const restart = torture<Size>({
  title: 'SIGTERM under load, and rolling restarts of two web processes and two workers',
  short: { restarts: 0, rounds: 1, clients: 8, between: 60 },
  long: { restarts: 15, rounds: 10, clients: 24, between: 400 },
  isForBuildServers: true,
  async run(size, random) {
    const harness = await Harness.open();
    const faults: string[] = [];
    const counts = {
      restarts: 0,
      'payouts acknowledged': 0,
      'in flight at a signal': 0,
      'connections refused': 0,
    };
    const context: Context = { harness, size, random, faults, counts };
    try {
      const loads = [await restartFourInTurn(context)];
      if (size.restarts > 0) loads.push(await restartSingle(context));
      for (const load of loads) {
        counts['payouts acknowledged'] += load.acknowledged.length;
        counts['connections refused'] += load.results.ECONNREFUSED ?? 0;
      }
      faults.push(...(await faultsOfLoad(loads, harness)));
      if (counts['in flight at a signal'] === 0)
        faults.push('no request was in flight at a signal: too little load');
    } finally {
      await harness.close();
    }
    return { counts, faults };
  },
});

async function restartSingle({ harness, size, random, faults, counts }: Context): Promise<SteadyLoad> {
  let running = await harness.startProduct('all');
  const programs = programsOf(harness.merchants, running.url);
  const load = new SteadyLoad({
    merchants: harness.merchants,
    clients: size.clients,
    random,
    name: 'one',
    programOf: (merchant) => programs.get(merchant) as ShopProgram,
  });
  for (let number = 0; number < size.restarts; number++) {
    await load.waitForPayouts(size.between);
    const signaledAt = performance.now();
    running = await restartProcess(harness, 'all', running, faults);
    counts.restarts = (counts.restarts ?? 0) + 1;
    noteInFlight(load, signaledAt, counts, faults);
  }
  await load.waitForPayouts(size.between);
  await load.stop();
  await endProcess(running.child, 'SIGTERM');
  return load;
}

async function restartFourInTurn({ harness, size, random, faults, counts }: Context): Promise<SteadyLoad> {
  const webs = await Promise.all([
    harness.startProduct('web', draining),
    harness.startProduct('web', draining),
  ]);
  const upstreams = webs.map((running) => new Upstream(running, harness));
  const workers = await Promise.all([harness.startProduct('worker'), harness.startProduct('worker')]);
  let turn = 0;
  const load = new SteadyLoad({
    merchants: harness.merchants,
    clients: size.clients,
    random,
    name: 'four',
    programOf: (merchant) => {
      const ready = upstreams.filter(({ isReady }) => isReady);
      const candidates = ready.length > 0 ? ready : upstreams;
      return (candidates[turn++ % candidates.length] as Upstream).programOf(merchant);
    },
  });
  for (let round = 0; round < size.rounds; round++) {
    // Restarts a web process and a worker together, as if they shared a machine.
    for (const [index, upstream] of upstreams.entries()) {
      await load.waitForPayouts(size.between);
      const signaledAt = performance.now();
      const worker = workers[index] as ProductProcess;
      [upstream.running, workers[index]] = await Promise.all([
        restartProcess(harness, 'web', upstream.running, faults, draining),
        restartProcess(harness, 'worker', worker, faults),
      ]);
      counts.restarts = (counts.restarts ?? 0) + 2;
      noteInFlight(load, signaledAt, counts, faults);
      await until(
        async () => upstream.isReady,
        (isReady) => isReady,
      );
    }
  }
  await load.stop();
  for (const [result, count] of Object.entries(load.results))
    if (result !== '201' && result !== 'ECONNREFUSED')
      faults.push(`during the rolling restart, ${count} calls ended with ${result}`);
  for (const upstream of upstreams) upstream.close();
  return load;
}

/** Counts the requests in flight at a signal; each must have succeeded. */
function noteInFlight(
  load: SteadyLoad,
  signaledAt: number,
  counts: Record<string, number>,
  faults: string[],
): void {
  const inFlight = load.attempts.filter(
    ({ begunAt, tookMs }) => begunAt <= signaledAt && begunAt + tookMs > signaledAt,
  );
  counts['in flight at a signal'] = (counts['in flight at a signal'] ?? 0) + inFlight.length;
  for (const { result } of inFlight)
    if (result !== '201') faults.push(`a request begun before SIGTERM ended with ${result}`);
}

/** Stops a process as its supervisor would, and starts it again on the same port. */
async function restartProcess(
  harness: Harness,
  part: Part,
  running: ProductProcess,
  faults: string[],
  env: NodeJS.ProcessEnv = {},
): Promise<ProductProcess> {
  const code = await endProcess(running.child, 'SIGTERM');
  if (code !== 0) faults.push(`a ${part} process exited with ${code} after SIGTERM`);
  return harness.startProduct(part, env, Number(new URL(running.url).port));
}

const checkEveryMs = 25;
/** Long enough for a load balancer to notice, even on a machine that stalls for half a second. */
const draining = { DRAIN_SECONDS: '2' };

/** A web process as a load balancer sees it, with a periodic readiness check. */
class Upstream {
  running: ProductProcess;
  isReady = true;
  readonly #programs: Map<KeyedMerchant, ShopProgram>;
  readonly #timer: NodeJS.Timeout;

  constructor(running: ProductProcess, harness: Harness) {
    this.running = running;
    this.#programs = programsOf(harness.merchants, running.url);
    this.#timer = setInterval(() => void this.#check(), checkEveryMs);
  }

  programOf(merchant: KeyedMerchant): ShopProgram {
    return this.#programs.get(merchant) as ShopProgram;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #check(): Promise<void> {
    this.isReady = await fetch(`${this.running.url}/readyz`).then(
      async (response) => {
        await response.arrayBuffer();
        return response.ok;
      },
      () => false,
    );
  }
}
