import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runChild } from '../bootstrap/child.mjs';
import { say } from '../bootstrap/say.mjs';

/** Offset of the server's port from the console's. The sandbox bank uses the port after the server's. */
const serverPortOffset = 10;

/**
 * Runs the console's development server at the port, and the product's server behind it at a port of its own.
 * Both stop on Ctrl-C or SIGTERM. Resolves with the exit code, which is 1 if the port is already in use.
 */
export async function runDevelopment(folder: string, port: number): Promise<number> {
  const serverPort = port + serverPortOffset;
  process.env.DEV_SERVER_URL = `http://127.0.0.1:${serverPort}`;
  // Imported only now, because the configuration reads the address above.
  const { createServer } = await import('vite');
  const vite = await createServer({
    configFile: join(folder, 'console/vite.config.ts'),
    server: { host: process.env.HOST ?? '127.0.0.1', port, strictPort: true },
    clearScreen: false,
    logLevel: 'warn',
  });
  try {
    await vite.listen();
  } catch (error) {
    if (!(error instanceof Error && error.message.includes('already in use'))) throw error;
    say(`port ${port} is already in use. Choose another one: PORT=8090 npm run dev`);
    await vite.close();
    return 1;
  }
  say(`the console will be at http://127.0.0.1:${port} as soon as the server is up …`);
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
    await vite.close();
  }
}

const watchedServer = ['--watch', '--watch-preserve-output', 'server/src/main.ts'];

function serverFlags(folder: string): string[] {
  const file = join(folder, 'server/node-flags.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
}
