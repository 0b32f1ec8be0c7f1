import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { isatty } from 'node:tty';

/** @type {NodeJS.Signals[]} */
const forwarded = ['SIGINT', 'SIGTERM'];

/**
 * Runs a program until it exits and forwards SIGINT and SIGTERM to it, each once, because npm and the shell
 * may both deliver the same signal to us.
 * @param {string} file
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, onOutput?: (chunk: Buffer) => void }} [options] with
 *   `onOutput` the program has no stdin, and `onOutput` receives its stdout and stderr; otherwise it inherits
 *   all three from us
 * @returns {Promise<{ exitCode: number, signal: NodeJS.Signals | undefined }>} the exit code (128 + n when a
 *   signal killed it) and the last signal that we received, if any. Rejects if the program can't be started.
 */
export function runChild(file, args, { cwd, env, onOutput } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd, env, stdio: onOutput ? ['ignore', 'pipe', 'pipe'] : 'inherit' });
    /** @type {NodeJS.Signals | undefined} */
    let received;
    /** @param {NodeJS.Signals} signal */
    const forward = (signal) => {
      if (received !== signal && !reachesWholeTerminal(signal)) child.kill(signal);
      received = signal;
    };
    for (const signal of forwarded) process.on(signal, forward);
    const parentWatch = watchParent(() => forward('SIGTERM'));
    if (onOutput) {
      child.stdout?.on('data', onOutput);
      child.stderr?.on('data', onOutput);
    }
    child.once('error', reject);
    child.once('close', (code, killedBy) => {
      clearInterval(parentWatch);
      for (const signal of forwarded) process.off(signal, forward);
      resolve({ exitCode: code ?? 128 + (killedBy ? constants.signals[killedBy] : 0), signal: received });
    });
  });
}

/**
 * Whether the terminal delivers the signal to the child, too: Ctrl-C goes to the whole process group.
 * @param {NodeJS.Signals} signal
 */
function reachesWholeTerminal(signal) {
  return signal === 'SIGINT' && [0, 1, 2].some((fd) => isatty(fd));
}

/**
 * Detects that npm was killed, which would otherwise leave the program running with its port and its
 * database. Without npm (under nohup or a service manager), the program may outlive its parent.
 * @param {() => void} onGone
 */
function watchParent(onGone) {
  const parent = process.ppid;
  return setInterval(() => {
    if (process.env.npm_lifecycle_event !== undefined && process.ppid !== parent) onGone();
  }, 500).unref();
}
