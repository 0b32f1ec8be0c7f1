import { rm } from 'node:fs/promises';
import { freePort } from '@hengfu/server/db/embedded/server-process.ts';
import { migrate } from '@hengfu/server/db/migrate.ts';
import { fundMerchant } from '@hengfu/server/testing/keyed-merchants.ts';
import { newFolder, openServices } from '@hengfu/server/testing/test-installation.ts';
import { until } from '@hengfu/server/testing/until.ts';
import { Harness } from '../harness.ts';
import { Cluster } from './cluster.ts';
import { Front } from './front.ts';

/** Enough for the payouts of the longest run. */
const funds = '10000000.00';

/** The product as `deploy/ha` describes it: two web processes and two workers, a cluster behind them, HAProxy before. */
export class Installation {
  readonly cluster: Cluster;
  readonly front: Front;
  readonly harness: Harness;
  /** One sentence for each process of the product that ended by itself. */
  readonly unexpectedExits: string[] = [];

  private constructor(cluster: Cluster, front: Front, harness: Harness) {
    this.cluster = cluster;
    this.front = front;
    this.harness = harness;
  }

  static async start(): Promise<Installation> {
    const folder = await newFolder();
    const closing: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
    const close = async () => {
      for (const step of closing.toReversed()) await step();
    };
    try {
      const cluster = await Cluster.start(folder);
      closing.push(() => cluster.close());
      const front = await Front.open(folder, cluster);
      closing.push(() => front.close());
      await migrate(front.ownerUrl);
      const runtime = await openServices(front.ownerUrl, folder);
      closing.push(() => runtime.close());
      await front.startPooler();
      const harness = await Harness.open({ ownerUrl: front.ownerUrl, folder, runtime, close });
      const installation = new Installation(cluster, front, harness);
      await installation.#startProduct();
      return installation;
    } catch (error) {
      await close();
      throw error;
    }
  }

  /** Web processes reach the database by HAProxy and by the pooler behind it, workers by the names of all hosts and by the pooler. */
  async #startProduct(): Promise<void> {
    const { harness, front, cluster } = this;
    for (const merchant of harness.merchants)
      await fundMerchant(harness.installation.runtime, merchant, funds);
    const common = { APP_URL: front.webUrl, TRUST_PROXY: '127.0.0.1' };
    const metricsPort = await freePort(0);
    const direct = { ...common, DATABASE_URL: cluster.ownerUrl };
    const pooled = { ...common, POOLER_URL: front.poolerUrl, POOLER_PREPARES: 'off' };
    const [first, second] = front.webPorts;
    const starts = [
      ['web', { ...common, METRICS_PORT: String(metricsPort) }, first],
      ['web', pooled, second],
      ['worker', direct, undefined],
      ['worker', pooled, undefined],
    ] as const;
    for (const [part, env, port] of starts) {
      const { child } = await harness.startProduct(part, env, port);
      child.once('exit', (code, signal) => {
        if (signal !== 'SIGKILL')
          this.unexpectedExits.push(`a ${part} process has exited with ${code ?? signal}`);
      });
    }
    await expectStandbysSeen(metricsPort);
  }

  /** Ends everything, first what depends on others. */
  async close(): Promise<void> {
    await this.harness.close();
  }
}

/** Waits until the metrics say how many standbys confirm commits: alerts depend on it. Throws if the product may not see them. */
async function expectStandbysSeen(port: number): Promise<void> {
  const read = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const seen = ['hengfu_database_synchronous_standbys 1', 'hengfu_database_standbys_hidden 0'];
  await until(read, (text) => seen.every((line) => text.includes(`${line}\n`)));
}
