import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '#config.ts';

/** Returns the address at which a product that listens on a host and port can be reached on this machine. */
export function localUrl(host: string, port: number): string {
  const reachable = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}

/**
 * Writes the product's address to `DATA_DIR/url`, where programs on this machine find it. Does nothing for a
 * process that does not own the data directory.
 */
export function writeUrlFile(config: Config, url: string): void {
  if (ownsDirectory(config)) writeFileSync(fileIn(config), `${url}\n`);
}

/** Removes the file again when the product stops. */
export function removeUrlFile(config: Config): void {
  if (ownsDirectory(config)) rmSync(fileIn(config), { force: true });
}

/**
 * Returns the public address of the product: the configured one, that of the product running here, or else the one at which it would
 * listen.
 */
export function addressOf(config: Config): string {
  const running = existsSync(fileIn(config)) ? readFileSync(fileIn(config), 'utf8').trim() : undefined;
  return config.appUrl ?? running ?? localUrl(config.host, config.port);
}

/** The data directory is sure to exist only if the embedded database is in it. */
function ownsDirectory({ ownsInstallation, databaseUrl }: Config): boolean {
  return ownsInstallation && databaseUrl === undefined;
}

function fileIn({ dataDir }: Config): string {
  return join(dataDir, 'url');
}
