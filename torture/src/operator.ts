import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { operatorMain } from '@hengfu/server/testing/product-process.ts';
import { testKey } from '@hengfu/server/testing/test-database.ts';

/** The result of an operator command. */
export interface CommandResult {
  code: number | null;
  text: string;
  seconds: number;
  /** Peak resident memory; 0 if the system does not report it. */
  peakMemoryMiB: number;
}

const sampleEveryMs = 50;

interface CommandOptions {
  killAfterMs?: number;
  /** Another version's entry point. */
  main?: string;
}

/** Runs an operator command on a database, killed after `killAfterMs`. */
export function operator(
  databaseUrl: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<CommandResult> {
  return operatorIn({ DATABASE_URL: databaseUrl, APP_KEY: testKey, DEMO: '0' }, args, options);
}

/** Runs an operator command with settings of its own. */
export async function operatorIn(
  env: NodeJS.ProcessEnv,
  args: readonly string[],
  { killAfterMs, main = operatorMain }: CommandOptions = {},
): Promise<CommandResult> {
  const begunAt = performance.now();
  const child = spawn(process.execPath, [main, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (piece: Buffer) => {
      text += piece;
    });
  const stopSampling = samplePeakMemory(child);
  const killer = killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs);
  const [code] = await once(child, 'close');
  clearTimeout(killer);
  const seconds = (performance.now() - begunAt) / 1000;
  return { code, text: text.trim(), seconds, peakMemoryMiB: stopSampling() };
}

/** Samples the peak memory of a process. The returned function stops sampling and returns the peak in MiB. */
function samplePeakMemory(child: ChildProcess): () => number {
  let peakKiB = 0;
  const timer = setInterval(async () => {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
    peakKiB = Math.max(peakKiB, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0));
  }, sampleEveryMs);
  return () => {
    clearInterval(timer);
    return Math.round(peakKiB / 1024);
  };
}
