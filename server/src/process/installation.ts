import { join } from 'node:path';
import type { Logger } from 'pino';
import { type DatabaseLocation, joinDatabase, openDatabase } from '#composition/database-location.ts';
import { type Sandbox, sandboxSecretOf } from '#composition/sandbox-location.ts';
import type { Config } from '#config.ts';
import { portIfFree } from './ports.ts';
import { SandboxProcess } from './sandbox-process.ts';

/**
 * The other programs of an installation: PostgreSQL and the sandbox bank, unless a URL names one. They start while the product's own
 * code is being loaded, which saves a third of a start.
 */
export class Installation {
  readonly #config: Config;
  readonly #log: Logger;
  readonly #sandboxSecret: string;
  #sandboxProcess: SandboxProcess | undefined;
  #database: Promise<DatabaseLocation> | undefined;
  #sandbox: Promise<Sandbox | undefined> | undefined;

  constructor(config: Config, log: Logger) {
    this.#config = config;
    this.#log = log;
    this.#sandboxSecret = sandboxSecretOf(config);
  }

  /** Begins to start both; whoever awaits them gets the error if one fails. */
  start(): void {
    const open = this.#config.ownsInstallation ? openDatabase : joinDatabase;
    this.#database = open(this.#config, this.#log);
    this.#sandbox = this.#startSandbox();
    // Nobody may be waiting yet.
    for (const started of [this.#database, this.#sandbox]) started.catch(() => {});
  }

  /** The database, once it is ready. */
  get database(): Promise<DatabaseLocation> {
    return this.#database ?? Promise.reject(new Error('the installation was not started'));
  }

  /** The sandbox bank, once it is ready; undefined if there is none. */
  get sandbox(): Promise<Sandbox | undefined> {
    return this.#sandbox ?? Promise.reject(new Error('the installation was not started'));
  }

  /** Stops both, also if they are still starting. */
  async stop(): Promise<void> {
    await this.#sandbox?.catch(() => undefined);
    await this.#sandboxProcess?.stop();
    await this.#database?.then(
      (database) => database.stop(),
      () => undefined,
    );
  }

  async #startSandbox(): Promise<Sandbox | undefined> {
    const { demo, port, sandboxPort, host, dataDir, ownsInstallation, sandboxUrl } = this.#config;
    const secret = this.#sandboxSecret;
    if (sandboxUrl !== undefined) return { url: sandboxUrl, secret };
    if (!demo || !ownsInstallation) return undefined;
    const wanted = sandboxPort ?? (port === 0 ? 0 : port + 1);
    this.#sandboxProcess = new SandboxProcess({
      port: await portIfFree(wanted, host),
      host,
      dataDir: join(dataDir, 'sandbox'),
      secret,
      log: this.#log,
    });
    return { url: await this.#sandboxProcess.start(), secret };
  }
}
