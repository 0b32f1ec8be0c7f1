import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Returns the address of the service on this machine: on `PORT` if it is set, else where the product with
 * this data directory (`DATA_DIR`) says that it runs, else on the default port.
 */
export function findService(env: NodeJS.ProcessEnv): string {
  if (env.PORT) return `http://127.0.0.1:${env.PORT}`;
  return runningIn(env.DATA_DIR || 'data') ?? 'http://127.0.0.1:8080';
}

/** Returns the address that a running product has written to its data directory. */
function runningIn(dataDir: string): string | undefined {
  try {
    return readFileSync(join(dataDir, 'url'), 'utf8').trim() || undefined;
  } catch {
    return undefined;
  }
}

/** Returns an error that says what to do if no service answers at an address; undefined for other failures. */
export function unreachable(error: unknown, base: string): Error | undefined {
  // `fetch` rejects with a TypeError if there was no reply at all.
  if (!(error instanceof TypeError)) return undefined;
  return new Error(`No service answers at ${base}. Start one with "npm start", then try again.
If it uses another PORT or DATA_DIR, set the same one here, as in: PORT=8090 npm run -s shop -- --help
For a service on another machine, name it with --base.`);
}
