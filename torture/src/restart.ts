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

interface Story {
  harness: Harness;
  size: Size;
  random: Random;
  faults: string[];
  counts: Record<string, number>;
}

/** SIGTERM under load: what has been begun is answered, whatever is restarted, and nothing is lost. */
export const restart = torture<Size>({
  title: 'SIGTERM under load, and rolling restarts of two web processes and two workers',
  short: { restarts: 0, rounds: 1, clients: 8, between: 60 },
  long: { restarts: 15, rounds: 10, clients: 24, between: 400 },
  async run(size, random) {
    const harness = await Harness.open();
    const faults: string[] = [];
    const counts = { restarts: 0, 'payouts acknowledged': 0, 'in flight at a signal': 0, 'refused doors': 0 };
    const story: Story = { harness, size, random, faults, counts };
    try {
      const loads = [await restartEachOfFour(story)];
      if (size.restarts > 0) loads.push(await restartOnlyOne(story));
      for (const load of loads) {
        counts['payouts acknowledged'] += load.acknowledged.length;
        counts['refused doors'] += load.results.ECONNREFUSED ?? 0;
      }
      faults.push(...(await faultsOfLoad(loads, harness)));
      if (counts['in flight at a signal'] === 0) faults.push('no signal met a request: too little load');
    } finally {
      await harness.close();
    }
    return { counts, faults };
  },
});

async function restartOnlyOne({ harness, size, random, faults, counts }: Story): Promise<SteadyLoad> {
  let player = await harness.startProduct('all');
  const programs = programsOf(harness.merchants, player.url);
  const load = new SteadyLoad({
    merchants: harness.merchants,
    clients: size.clients,
    random,
    name: 'one',
    programOf: (merchant) => programs.get(merchant) as ShopProgram,
  });
  for (let number = 0; number < size.restarts; number++) {
    await load.goOn(size.between);
    const signalledAt = performance.now();
    player = await again(harness, 'all', player, faults);
    counts.restarts = (counts.restarts ?? 0) + 1;
    noteMet(load, signalledAt, counts, faults);
  }
  await load.goOn(size.between);
  await load.stop();
  await endProcess(player.child, 'SIGTERM');
  return load;
}

async function restartEachOfFour({ harness, size, random, faults, counts }: Story): Promise<SteadyLoad> {
  const webs = await Promise.all([
    harness.startProduct('web', drained),
    harness.startProduct('web', drained),
  ]);
  const doors = webs.map((player) => new Door(player, harness));
  const workers = await Promise.all([harness.startProduct('worker'), harness.startProduct('worker')]);
  let turn = 0;
  const load = new SteadyLoad({
    merchants: harness.merchants,
    clients: size.clients,
    random,
    name: 'four',
    programOf: (merchant) => {
      const open = doors.filter(({ isOpen }) => isOpen);
      const among = open.length > 0 ? open : doors;
      return (among[turn++ % among.length] as Door).programOf(merchant);
    },
  });
  for (let round = 0; round < size.rounds; round++) {
    // A web process and a worker at a time, as of one machine.
    for (const [index, door] of doors.entries()) {
      await load.goOn(size.between);
      const signalledAt = performance.now();
      const worker = workers[index] as ProductProcess;
      [door.player, workers[index]] = await Promise.all([
        again(harness, 'web', door.player, faults, drained),
        again(harness, 'worker', worker, faults),
      ]);
      counts.restarts = (counts.restarts ?? 0) + 2;
      noteMet(load, signalledAt, counts, faults);
      await until(
        async () => door.isOpen,
        (isOpen) => isOpen,
      );
    }
  }
  await load.stop();
  for (const [result, count] of Object.entries(load.results))
    if (result !== '201' && result !== 'ECONNREFUSED')
      faults.push(`while processes were restarted in turn, ${count} calls came to ${result}`);
  for (const door of doors) door.close();
  return load;
}

/** What was begun before a signal, and not answered yet, must be answered. */
function noteMet(
  load: SteadyLoad,
  signalledAt: number,
  counts: Record<string, number>,
  faults: string[],
): void {
  const met = load.tries.filter(
    ({ begunAt, tookMs }) => begunAt <= signalledAt && begunAt + tookMs > signalledAt,
  );
  counts['in flight at a signal'] = (counts['in flight at a signal'] ?? 0) + met.length;
  for (const { result } of met)
    if (result !== '201') faults.push(`a request begun before SIGTERM came to ${result}`);
}

/** Ends a process as its supervisor would, and starts it again at the same place. */
async function again(
  harness: Harness,
  part: Part,
  player: ProductProcess,
  faults: string[],
  env: NodeJS.ProcessEnv = {},
): Promise<ProductProcess> {
  const code = await endProcess(player.child, 'SIGTERM');
  if (code !== 0) faults.push(`a ${part} process ended with ${code} after SIGTERM`);
  return harness.startProduct(part, env, Number(new URL(player.url).port));
}

const lookEveryMs = 25;
/** A balancer must have looked before a process stops listening: machines that stand still for half a second were met. */
const drained = { DRAIN_SECONDS: '2' };

/** One of several ways in, as a load balancer knows it: closed while it is not ready. */
class Door {
  player: ProductProcess;
  isOpen = true;
  readonly #programs: Map<KeyedMerchant, ShopProgram>;
  readonly #timer: NodeJS.Timeout;

  constructor(player: ProductProcess, harness: Harness) {
    this.player = player;
    this.#programs = programsOf(harness.merchants, player.url);
    this.#timer = setInterval(() => void this.#look(), lookEveryMs);
  }

  programOf(merchant: KeyedMerchant): ShopProgram {
    return this.#programs.get(merchant) as ShopProgram;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #look(): Promise<void> {
    this.isOpen = await fetch(`${this.player.url}/readyz`).then(
      async (response) => {
        await response.arrayBuffer();
        return response.ok;
      },
      () => false,
    );
  }
}
