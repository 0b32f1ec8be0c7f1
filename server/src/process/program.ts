import cluster from 'node:cluster';
import { flushCompileCache } from 'node:module';
import { type Config, readConfig } from '#config.ts';
import { DataDirInUseError } from '#db/embedded/embedded.ts';
import { MigrationError } from '#db/migration-error.ts';
import { isDatabaseAway } from '#db/pool.ts';
import { openLog } from '#observability/log.ts';
import { visible, visibleLines } from '#security/visible.ts';
import { ConfigError } from '#settings/config-error.ts';
import { adaptHeapGrowth } from '#threads/heap-growth.ts';
import type { Fleet } from './fleet.ts';
import { FleetError } from './fleet-error.ts';
import { Installation } from './installation.ts';
import { type ProcessCounts, readProcessCounts } from './process-counts.ts';
import type { Product } from './product.ts';

/**
 * Starts the product and stops it on a signal. If it cannot start, prints one clear sentence and exits with
 * 1.
 */
async function main(): Promise<void> {
  const counts = readProcessCounts(process.argv.slice(2));
  const config = readConfig(process.env);
  const installation = new Installation(config, openLog(config.logLevel));
  let product: Fleet | Product | undefined;
  let isStopping = false;
  const stopAll = async () => {
    await product?.stop();
    await installation.stop();
  };
  const stop = (signal: string) => {
    if (isStopping) return;
    isStopping = true;
    if (!cluster.isWorker) process.stdout.write(`\n${signal}: finishing work in progress …\n`);
    stopAll().then(
      () => process.exit(0),
      (error: unknown) => fail(error),
    );
  };
  process.on('SIGINT', () => stop('Ctrl-C'));
  process.on('SIGTERM', () => stop('SIGTERM'));
  process.on('SIGHUP', () => stop('terminal closed'));
  // A lost database must not end the server, whichever library reports it.
  process.on('unhandledRejection', (error) => {
    if (!isDatabaseAway(error)) fail(error);
    process.stderr.write(
      `the database is unreachable: ${error instanceof Error ? visible(error.message) : ''}\n`,
    );
  });
  try {
    installation.start();
    product = await load(config, counts, installation);
    const text = await product.start();
    // A child process reports to its parent, which prints the message once all are ready.
    if (cluster.isWorker) process.send?.({ ready: true });
    else process.stdout.write(text);
    // Otherwise the compile cache is lost if this process is killed.
    flushCompileCache();
    void adaptHeapGrowth();
  } catch (error) {
    await stopAll().catch(() => {});
    if (!isStopping) fail(error);
  }
}

/** Loads the product's code, most of the program. */
async function load(
  config: Config,
  counts: ProcessCounts | undefined,
  installation: Installation,
): Promise<Fleet | Product> {
  if (!counts) return new (await import('./product.ts')).Product(config, installation);
  return new (await import('./fleet.ts')).Fleet(config, counts, installation);
}

function fail(error: unknown): never {
  process.stderr.write(`${visibleLines(sentenceFor(error))}\n`);
  process.exit(1);
}

function sentenceFor(error: unknown): string {
  const isPlain = [ConfigError, DataDirInUseError, FleetError, MigrationError].some(
    (kind) => error instanceof kind,
  );
  if (error instanceof Error && isPlain) return error.message;
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
    return `Port ${'port' in error ? error.port : ''} is taken. Choose another one: PORT=8090 npm start`;
  }
  if (error instanceof Error && 'code' in error && 'path' in error && typeof error.path === 'string') {
    return `Can’t use ${error.path} (${error.code}). Make it writable, or name another directory with DATA_DIR.`;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

await main().catch(fail);
