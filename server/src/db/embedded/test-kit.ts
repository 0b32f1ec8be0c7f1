import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { type EmbeddedPostgres, startEmbedded } from './embedded.ts';

let settled: string | undefined;

/** Removes the cluster that {@link Kit.settledFolder} copies. */
export function removeSettled(): void {
  if (settled) rmSync(settled, { recursive: true, force: true, maxRetries: 5 });
  settled = undefined;
}

async function settle(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'hengfu-settled-'));
  chmodSync(folder, 0o755);
  const one = await startEmbedded({ dataDir: folder, durable: false, log: () => {} });
  await one.stop();
  return folder;
}

/** Starts clusters and creates folders for tests. `end` stops and removes them after each test. */
export class Kit {
  readonly #running: EmbeddedPostgres[] = [];
  readonly #children: ChildProcess[] = [];
  readonly #folders: string[] = [];

  async end(): Promise<void> {
    for (const child of this.#children.splice(0)) child.kill('SIGKILL');
    await Promise.all(this.#running.splice(0).map((one) => one.stop()));
    for (const folder of this.#folders.splice(0))
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }

  /** A folder that only its owner may enter. */
  closedFolder(prefix = 'hengfu-embedded-'): string {
    const folder = mkdtempSync(join(tmpdir(), prefix));
    this.#folders.push(folder);
    return folder;
  }

  /** A folder that the server's user may enter, so that the cluster stays in it. */
  openFolder(): string {
    const folder = this.closedFolder();
    chmodSync(folder, 0o755);
    return folder;
  }

  /** Creates a data directory with a cluster that has run before, by copying one: initdb is slow. */
  async settledFolder(): Promise<string> {
    const folder = this.openFolder();
    settled ??= await settle();
    cpSync(settled, folder, { recursive: true });
    return folder;
  }

  /** Registers a folder that the tested code created, so that it is removed. */
  removeLater(folder: string): void {
    this.#folders.push(folder);
  }

  async start(dataDir: string, log: (line: string) => void = () => {}): Promise<EmbeddedPostgres> {
    const one = await startEmbedded({ dataDir, durable: false, log, settings: { shared_buffers: '16MB' } });
    this.#running.push(one);
    return one;
  }

  /** Starts a process that holds a cluster as the product does, optionally as another user. */
  async startHolder(
    dataDir: string,
    options: { uid?: number; onTerminate?: string } = {},
  ): Promise<ChildProcess> {
    const { child, line } = this.runScript(
      `import { startEmbedded } from ${JSON.stringify(join(import.meta.dirname, 'embedded.ts'))};
      process.on('SIGINT', () => {});
      process.on('SIGTERM', () => { ${options.onTerminate ?? ''} });
      const { ownerUrl } = await startEmbedded({ dataDir: ${JSON.stringify(dataDir)}, log: () => {} });
      console.log(ownerUrl);
      setInterval(() => {}, 1000);`,
      options.uid,
    );
    await line();
    return child;
  }

  /** Runs a script in a process, and process group, of its own. Each call of `line` returns its next line. */
  runScript(script: string, uid?: number): { child: ChildProcess; line: () => Promise<string> } {
    const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', script], {
      cwd: '/',
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
      ...(uid !== undefined && { uid, gid: uid }),
    });
    this.#children.push(child);
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const line = async () => {
      const { value, done } = await lines.next();
      if (done) throw new Error('the script has ended');
      return value;
    };
    return { child, line };
  }
}

/** Runs one statement on its own connection. */
export async function query(url: string, text: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  return client.query(text).finally(() => client.end());
}

/** Reads the process ID from PostgreSQL's own lock file. */
export function postmasterPid(cluster: string): number {
  return Number(readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0]);
}
