import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ViteDevServer } from 'vite';
import { runChild } from '../bootstrap/child.mjs';
import { say } from '../bootstrap/say.mjs';

/** Offset of the server's port from the console's. The sandbox bank uses the port after the server's. */
const serverPortOffset = 10;
/** Offset of the back office's port from the console's, in front of the server and at it. */
const staffPortOffset = 2;

/**
 * Runs the development servers of the console, at the port, and of the back office, two above it, and the product's server behind
 * them at ports of its own. All stop on Ctrl-C or SIGTERM. Resolves with the exit code, which is 1 if a port is already in use.
 */
export async function runDevelopment(folder: string, port: number): Promise<number> {
  const serverPort = port + serverPortOffset;
  process.env.DEV_SERVER_URL = `http://127.0.0.1:${serverPort}`;
  process.env.DEV_STAFF_URL = `http://127.0.0.1:${serverPort + staffPortOffset}`;
  const started: ViteDevServer[] = [];
  const close = () => Promise.all(started.map((vite) => vite.close()));
  for (const [app, at] of [
    ['console', port],
    ['backoffice', port + staffPortOffset],
  ] as const) {
    const vite = await openApp(join(folder, app), at);
    if (vite) started.push(vite);
    else {
      say(`port ${at} is already in use. Choose another one: PORT=8090 npm run dev`);
      await close();
      return 1;
    }
  }
  say(`the console will be at http://127.0.0.1:${port} as soon as the server is up …`);
  say(`the back office will be at http://127.0.0.1:${port + staffPortOffset}, in demo mode`);
  try {
    const { exitCode } = await runChild(process.execPath, [...serverFlags(folder), ...watchedServer], {
      cwd: folder,
      env: {
        DRAIN_SECONDS: '0',
        APP_URL: `http://127.0.0.1:${port}`,
        ...process.env,
        PORT: String(serverPort),
      },
    });
    return exitCode;
  } finally {
    await close();
  }
}

/** Opens the development server of one application; returns undefined if the port is in use. */
async function openApp(folder: string, port: number): Promise<ViteDevServer | undefined> {
  // Imported only now, because the configuration reads the addresses in the environment.
  const { createServer } = await import('vite');
  const vite = await createServer({
    configFile: join(folder, 'vite.config.ts'),
    server: { host: process.env.HOST ?? '127.0.0.1', port, strictPort: true },
    clearScreen: false,
    logLevel: 'warn',
  });
  try {
    await vite.listen();
    return vite;
  } catch (error) {
    if (!(error instanceof Error && error.message.includes('already in use'))) throw error;
    await vite.close();
    return undefined;
  }
}

const watchedServer = ['--watch', '--watch-preserve-output', 'server/src/main.ts'];

function serverFlags(folder: string): string[] {
  const file = join(folder, 'server/node-flags.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
}
