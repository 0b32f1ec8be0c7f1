import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import nodeFlags from '../../node-flags.json' with { type: 'json' };

/** The entry point of the product: the built one, as people start it, if the run has built it (tools/testing/programs.ts), or else the source. */
export const productMain = process.env.TEST_SERVER ?? join(import.meta.dirname, '../main.ts');
/** The arguments of Node that run it, as in `npm start` and the image. */
export const productCommand: readonly string[] = [...nodeFlags, productMain];
/** The source of the operator commands. */
export const operatorSource = join(import.meta.dirname, '../operator/main.ts');
/** The entry point of the operator commands, likewise. */
export const operatorMain = process.env.TEST_OPERATOR ?? operatorSource;

/** Starts the product as a process; resolves once it has printed its start-up message. Throws if it exits. */
export async function startProcess(env: NodeJS.ProcessEnv, args: string[] = []): Promise<ChildProcess> {
  const child = spawn(process.execPath, [...productCommand, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) if (line.includes('Ctrl-C')) break;
  child.stdout.resume();
  if (child.exitCode !== null) throw new Error(`the product exited at its start (code ${child.exitCode})`);
  return child;
}

/** Ends a process by a signal; resolves with its exit code, or null if the signal killed it. */
export async function endProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }
  return child.exitCode;
}
