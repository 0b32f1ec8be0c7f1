import type { Server } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { buildApp } from '#composition/app.ts';
import { refuseOtherKey } from '#composition/app-key-check.ts';
import { type DatabaseLocation, embeddedDirectory } from '#composition/database-location.ts';
import { observeDatabase } from '#composition/database-metrics.ts';
import { closeWhileHeld } from '#composition/payout-hold.ts';
import { openRuntime, type Runtime } from '#composition/runtime.ts';
import type { Sandbox } from '#composition/sandbox-location.ts';
import { observeSystem } from '#composition/system-metrics.ts';
import type { Config } from '#config.ts';
import { migrate } from '#db/migrate.ts';
import { withAdvisoryLock } from '#db/owner.ts';
import { readDatabaseState } from '#db/replication.ts';
import { autopilot } from '#demo/autopilot.ts';
import { prepareDemo, resetPartialDemo } from '#demo/prepare.ts';
import { Dispatcher } from '#jobs/dispatcher.ts';
import { Workers } from '#jobs/workers.ts';
import { openLog } from '#observability/log.ts';
import { Metrics } from '#observability/metrics.ts';
import { isHeld, untilReleased } from '#recovery/recovery-hold.ts';
import { banner } from './banner.ts';
import type { Installation } from './installation.ts';
import { listen } from './listen.ts';
import { refuseTakenPort } from './ports.ts';
import { warnOfReplicationFaults } from './replication-check.ts';
import { StaffSide } from './staff-side.ts';
import { localUrl, removeUrlFile, writeUrlFile } from './url-file.ts';

/** Advisory lock, an arbitrary number: one process writes demo data while the others wait. */
const demoLock = 7_305_004;

/** Starts and stops the product on its installation: web side, workers and back office. */
export class Product {
  readonly #config: Config;
  readonly #installation: Installation;
  readonly #log: Logger;
  readonly #metrics = new Metrics();
  #runtime: Runtime | undefined;
  #app: FastifyInstance | undefined;
  #staff: StaffSide | undefined;
  #workers: Workers | undefined;
  readonly #stopping = new AbortController();
  #workersStarted: Promise<void> = Promise.resolve();
  #metricsServer: Server | undefined;
  #stopTraces: (() => Promise<void>) | undefined;

  constructor(config: Config, installation: Installation) {
    this.#config = config;
    this.#installation = installation;
    this.#log = openLog(config.logLevel);
  }

  /** Starts everything; resolves with the start-up message once pages are served. */
  async start(): Promise<string> {
    const config = this.#config;
    if (config.tracesUrl !== undefined) {
      // Imported only here: without tracing its packages are not loaded.
      const { startTraces } = await import('#observability/tracing/exporter.ts');
      this.#stopTraces = startTraces(config.tracesUrl, this.#log);
    }
    const database = await this.#installation.database;
    // Fail now, not after writing demo data for 15 seconds.
    if (config.ownsInstallation) await refuseTakenPort(config.port, config.host);
    // The embedded database has no standby.
    if (config.databaseUrl) await warnOfReplicationFaults(database.ownerUrl, this.#log);
    const ran = await migrate(database.ownerUrl);
    if (ran.length > 0) this.#log.info({ ran }, 'migrated');
    const keyCheck = refuseOtherKey(config, database.ownerUrl);
    // Awaited only below: the sandbox bank is starting meanwhile.
    keyCheck.catch(() => {});
    if (config.staff && !config.web) {
      await keyCheck;
      return this.#startForStaff(database);
    }
    // Awaited only now: the sandbox bank has been starting while the schema was compared.
    const sandbox = await this.#installation.sandbox;
    await keyCheck;
    const runtime = await this.#openRuntime(database.ownerUrl, sandbox);
    if (config.worker || config.ownsInstallation)
      await runtime.services.testMode.setSandbox(config.isSandboxLive);
    observeSystem(this.#metrics, {
      watch: runtime.services.watch,
      pool: runtime.pool,
      dataDir: config.dataDir,
      archiving: database.archiving,
      isHeld: () => this.#isHeld(),
    });
    if (config.ownsInstallation && this.#isHeld())
      await closeWhileHeld(embeddedDirectory(config), runtime.services);
    observeDatabase(this.#metrics, () => readDatabaseState(database.ownerUrl));
    // Event streams and workers depend on the feed.
    if (config.web || config.worker) await runtime.feed.start();
    const url = await this.#listen(runtime);
    const staffUrl = config.staff ? await this.#openStaff(database) : undefined;
    // Last: the first jobs would delay all others who wait for the start.
    if (config.worker)
      this.#workersStarted = this.#startOnceReleased(() =>
        this.#startWorkers(runtime, database.ownerUrl, sandbox),
      );
    return banner(config, url, { staffUrl });
  }

  /** Stops everything but the installation in reverse order, after finishing the requests and jobs in progress. */
  async stop(): Promise<void> {
    if (this.#app) removeUrlFile(this.#config);
    this.#stopping.abort();
    // At the same time: each may wait for its longest reply.
    await Promise.all([this.#staff?.stop(), this.#app?.close()]);
    await this.#workersStarted;
    await this.#workers?.stop();
    this.#metricsServer?.close();
    await this.#runtime?.close();
    await this.#stopTraces?.();
  }

  /** Serves the back office alone: opens nothing as the application. */
  async #startForStaff(database: DatabaseLocation): Promise<string> {
    const staffUrl = await this.#openStaff(database);
    this.#staff?.observe();
    observeDatabase(this.#metrics, () => readDatabaseState(database.ownerUrl));
    await this.#listenForMetrics(this.#config.port);
    return banner(this.#config, '', { staffUrl });
  }

  /** Opens the back office; returns its address. */
  async #openStaff(database: DatabaseLocation): Promise<string | undefined> {
    this.#staff = new StaffSide(this.#config, this.#log, this.#metrics);
    return this.#staff.start(database, this.#config.port);
  }

  async #openRuntime(ownerUrl: string, sandbox: Sandbox | undefined): Promise<Runtime> {
    const config = this.#config;
    const open = async () => {
      this.#runtime = await openRuntime(config, ownerUrl, sandbox, this.#log);
      return this.#runtime;
    };
    if (!(config.worker || config.ownsInstallation)) return open();
    return withAdvisoryLock(ownerUrl, demoLock, async () => {
      await resetPartialDemo(ownerUrl, config.databaseUrl === undefined);
      const runtime = await open();
      if (config.demo && sandbox)
        await prepareDemo(runtime.services, {
          ownerUrl,
          appUrl: config.appUrl ?? localUrl(config.host, config.port),
          sandbox,
          say: (line) => process.stdout.write(`${line}\n`),
        });
      return runtime;
    });
  }

  async #listen(runtime: Runtime): Promise<string> {
    const config = this.#config;
    const urlAt = (port: number) => config.appUrl ?? localUrl(config.host, port);
    runtime.setAppUrl(urlAt(config.port));
    let { port } = config;
    if (config.web) {
      const { services, feed } = runtime;
      this.#app = await buildApp({ config, services, feed, metrics: this.#metrics, log: this.#log });
      port = await listen(this.#app, config);
    }
    runtime.setAppUrl(urlAt(port));
    if (config.web) writeUrlFile(config, localUrl(config.host, port));
    await this.#listenForMetrics(port);
    return urlAt(port);
  }

  async #listenForMetrics(webPort: number): Promise<void> {
    const wanted = this.#config.metricsPort ?? webPort + 1000;
    try {
      const { server, port } = await this.#metrics.listen('127.0.0.1', wanted);
      this.#metricsServer = server;
      this.#log.info({ port }, 'metrics');
    } catch (error) {
      // A configured port must be free; the default one is not worth a failed start.
      if (this.#config.metricsPort !== undefined) throw error;
      this.#log.warn({ port: wanted }, 'no metrics: the port is in use');
    }
  }

  /** Whether payouts are held because the embedded database was restored. */
  #isHeld(): boolean {
    const { databaseUrl } = this.#config;
    return databaseUrl === undefined && isHeld(embeddedDirectory(this.#config));
  }

  /** Starts the workers, after a restore only once an operator has compared it with the channels. */
  async #startOnceReleased(start: () => void): Promise<void> {
    const { signal } = this.#stopping;
    if (this.#isHeld()) {
      this.#log.warn('restored: no worker runs before operator recovery compare, and recovery release');
      await untilReleased(embeddedDirectory(this.#config), signal);
    }
    if (!signal.aborted) start();
  }

  #startWorkers(runtime: Runtime, ownerUrl: string, sandbox: Sandbox | undefined): void {
    const { services, feed } = runtime;
    const { jobLines, fairLines: lines, database, recurring } = services;
    const { onJobsReady } = feed;
    const demo =
      this.#config.autopilot && sandbox ? autopilot(services, sandbox) : { lines: [], recurring: [] };
    const [log, metrics] = [this.#log, this.#metrics];
    this.#workers = new Workers(
      [...jobLines, ...demo.lines],
      { ownerUrl, recurring: [...recurring, ...demo.recurring], log, metrics },
      new Dispatcher({ database, lines, onJobsReady, log, metrics }),
    );
    this.#workers.start();
  }
}
