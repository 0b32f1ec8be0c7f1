import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** The reply of `server/src/testing/operator-server.ts`: the text that a command printed, and why it failed, if it did. */
interface Reply {
  text: string;
  failure?: string;
}

let running: ChildProcess | undefined;
let last: Promise<unknown> = Promise.resolve();

/**
 * Runs an operator command on the running product. Returns its JSON. One process runs all commands of a worker, one after the other.
 * @param input its standard input
 */
export function runCommand(args: readonly string[], input = ''): Promise<Record<string, unknown>> {
  const answer = last.then(() => ask([...args, '--json'], input));
  last = answer.catch(() => undefined);
  return answer;
}

async function ask(args: readonly string[], input: string): Promise<Record<string, unknown>> {
  running ??= start();
  hold(running, true);
  const ended = new AbortController();
  try {
    const replied = once(running, 'message', { signal: ended.signal });
    const exited = once(running, 'exit', { signal: ended.signal });
    running.send({ args, input });
    const [reply] = await Promise.race([
      replied,
      exited.then(([code, signal]) => {
        throw new Error(`operator ${args.join(' ')}: the process ended with ${code ?? signal}`);
      }),
    ]);
    const { text, failure } = reply as Reply;
    // The failure alone does not say what the command found; its output does.
    if (failure !== undefined) throw new Error(`operator ${args.join(' ')}: ${failure}\n${text}`);
    return JSON.parse(text);
  } finally {
    ended.abort();
    if (running) hold(running, false);
  }
}

/** Decides whether the process keeps this one alive. */
function hold(child: ChildProcess, isHeld: boolean): void {
  for (const handle of [child, child.channel]) {
    if (isHeld) handle?.ref();
    else handle?.unref();
  }
}

/** Starts the process, which exits when it is disconnected: when this one ends. */
function start(): ChildProcess {
  const root = join(import.meta.dirname, '..');
  const cache = process.env.NODE_COMPILE_CACHE ?? join(root, 'node_modules/.cache/hengfu');
  const program = process.env.E2E_OPERATOR ?? join(root, 'server/src/testing/operator-server.ts');
  const env = { ...process.env, DATA_DIR: process.env.E2E_DATA_DIR, NODE_COMPILE_CACHE: cache };
  const child = fork(program, { cwd: root, env, execArgv: [] });
  child.once('exit', () => {
    running = undefined;
  });
  return child;
}
