import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { operatorMain } from '@hengfu/server/testing/product-process.ts';
import { testKey } from '@hengfu/server/testing/test-database.ts';

/** What came of an operator's command. */
export interface Ran {
  code: number | null;
  text: string;
  seconds: number;
  /** Most memory that it had, in MiB; 0 where the system does not tell. */
  mostMemory: number;
}

const watchMs = 50;

/** Runs an operator's command over a database. `endAfterMs` kills it then; `main` is another version's entry. */
export async function operator(
  databaseUrl: string,
  args: readonly string[],
  { endAfterMs, main = operatorMain }: { endAfterMs?: number; main?: string } = {},
): Promise<Ran> {
  const begunAt = performance.now();
  const child = spawn(process.execPath, [main, ...args], {
    env: { ...process.env, DATABASE_URL: databaseUrl, APP_KEY: testKey, DEMO: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (piece: Buffer) => {
      text += piece;
    });
  const memory = watchMemory(child);
  const killer = endAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), endAfterMs);
  const [code] = await once(child, 'close');
  clearTimeout(killer);
  return { code, text: text.trim(), seconds: (performance.now() - begunAt) / 1000, mostMemory: memory() };
}

/** Asks now and then, as long as the process lives. */
function watchMemory(child: ChildProcess): () => number {
  let most = 0;
  const timer = setInterval(async () => {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
    most = Math.max(most, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0));
  }, watchMs);
  return () => {
    clearInterval(timer);
    return Math.round(most / 1024);
  };
}
