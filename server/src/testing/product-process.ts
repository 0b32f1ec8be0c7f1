import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import nodeFlags from '../../node-flags.json' with { type: 'json' };

/** The product's entry. */
export const productMain = join(import.meta.dirname, '../main.ts');
/** What Node is given to run it, as `npm start` and the image do. */
export const productCommand: readonly string[] = [...nodeFlags, productMain];
/** The operator's commands. */
export const operatorMain = join(import.meta.dirname, '../operator/main.ts');

/** Starts the product as a process; resolves once it says that it is up. */
export async function startProcess(env: NodeJS.ProcessEnv, args: string[] = []): Promise<ChildProcess> {
  const child = spawn(process.execPath, [...productCommand, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) if (line.includes('Ctrl-C')) break;
  child.stdout.resume();
  if (child.exitCode !== null) throw new Error(`the product ended at its start (${child.exitCode})`);
  return child;
}

/** Ends it by a signal; resolves with its exit code, null where it was killed. */
export async function endProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }
  return child.exitCode;
}
