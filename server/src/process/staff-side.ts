import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { DatabaseLocation } from '#composition/database-location.ts';
import { demoStaff, demoStaffPassword } from '#composition/demo-sign-ins.ts';
import { openStaff, type StaffRuntime } from '#composition/staff.ts';
import { buildStaffApp } from '#composition/staff-app.ts';
import { observeProcess } from '#composition/system-metrics.ts';
import type { Config } from '#config.ts';
import { demoMerchants } from '#demo/people.ts';
import { type Metrics, probeLimitMs } from '#observability/metrics.ts';
import { within } from '#threads/within.ts';
import { listen } from './listen.ts';
import { refuseTakenPort } from './ports.ts';
import { addressOf, localUrl } from './url-file.ts';

/** Where the back office will listen: the configured port, or one near the product's. */
export function staffPortOf({ staffPort }: Pick<Config, 'staffPort'>, webPort: number): number {
  return staffPort ?? (webPort === 0 ? 0 : webPort + staffPortOffset);
}

/** Distance of the back office's default port from the product's; the sandbox bank has the one in between. */
const staffPortOffset = 2;

/** The back office as this process serves it: a listener of its own, and a login of its own at the database. */
export class StaffSide {
  readonly #config: Config;
  readonly #log: Logger;
  readonly #metrics: Metrics;
  #runtime: StaffRuntime | undefined;
  /** Where it listens. */
  #address = '';
  #app: FastifyInstance | undefined;

  constructor(config: Config, log: Logger, metrics: Metrics) {
    this.#config = config;
    this.#log = log;
    this.#metrics = metrics;
  }

  /** Opens it, and returns its address; undefined if the default port is taken. Throws if a configured port is. */
  async start(
    { ownerUrl, archiving }: Pick<DatabaseLocation, 'ownerUrl' | 'archiving'>,
    webPort: number,
  ): Promise<string | undefined> {
    const config = this.#config;
    const { staffPort, staffHost } = config;
    const port = staffPortOf(config, webPort);
    try {
      await refuseTakenPort(port, staffHost);
    } catch (error) {
      // A process for our staff alone would serve nothing.
      if (staffPort !== undefined || !config.web) throw error;
      this.#log.warn({ port }, 'no back office: the port is in use');
      return undefined;
    }
    const staffAddress = () => this.#address;
    const settings = { ...config, archiving, staffAddress };
    this.#runtime = await openStaff(settings, ownerUrl, this.#log, () => addressOf(config));
    const { accounts } = this.#runtime;
    const merchants = demoMerchants.map(({ merchant }) => merchant.code);
    if (config.demo) await accounts.addDemo(demoStaff, { password: demoStaffPassword, merchants });
    else await accounts.endDemo(demoStaff);
    await this.#runtime.feed.start();
    const [log, metrics] = [this.#log, this.#metrics];
    this.#app = await buildStaffApp({ config, staff: this.#runtime, metrics, log });
    this.#address = localUrl(staffHost, await listen(this.#app, { port, host: staffHost }));
    return config.staffUrl ?? this.#address;
  }

  /** Adds this process's connections and disk to the metrics. The role of the back office may not read the state of the installation. */
  observe(): void {
    const runtime = this.#runtime;
    if (!runtime) return;
    const isDatabaseUp = () =>
      within(probeLimitMs, runtime.database.ping()).then(
        () => true,
        () => false,
      );
    observeProcess(this.#metrics, { isDatabaseUp, pool: runtime.pool, dataDir: this.#config.dataDir });
  }

  /** Closes it, after finishing the requests in progress. */
  async stop(): Promise<void> {
    await this.#app?.close();
    await this.#runtime?.close();
  }
}
