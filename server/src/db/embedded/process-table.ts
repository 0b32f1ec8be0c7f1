import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** A running process and its command line. */
export interface RunningProcess {
  pid: number;
  command: string;
}

const isLinux = process.platform === 'linux';

/**
 * Whether a process runs. A zombie, which has ended but has not been reaped, does not; one that we may not
 * inspect does.
 */
export function isAlive(pid: number): boolean {
  const stat = isLinux ? statOf(pid) : undefined;
  if (stat) return !['Z', 'X'].includes(stat[0] ?? '');
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/**
 * Returns when a process started, which identifies it for good together with its ID: IDs are reused. Empty if
 * the system does not say.
 */
export function startOf(pid: number): string {
  if (isLinux) return `${statOf(pid)?.[19] ?? ''}@${bootId}`;
  return ps('-o', 'lstart=', '-p', String(pid)).trim().replaceAll(' ', '_');
}

/** Lists the running processes, with the command lines that everybody may read. */
export function runningProcesses(): RunningProcess[] {
  if (isLinux) {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    return pids.map((pid) => ({ pid: Number(pid), command: commandOf(Number(pid)) }));
  }
  const lines = ps('-axww', '-o', 'pid=,command=').split('\n');
  return lines.map((line) => {
    const [, pid = '0', command = ''] = /^\s*(\d+) (.*)$/.exec(line) ?? [];
    return { pid: Number(pid), command };
  });
}

/** Returns the command line of a process; empty if it does not run. */
export function commandOf(pid: number): string {
  if (isLinux) return readOrEmpty(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim();
  return ps('-ww', '-o', 'command=', '-p', String(pid)).trim();
}

/** Returns a process's fields from the third one, its state, on. The second may contain any character. */
function statOf(pid: number): string[] | undefined {
  const stat = readOrEmpty(`/proc/${pid}/stat`);
  return stat ? stat.slice(stat.lastIndexOf(')') + 2).split(' ') : undefined;
}

const bootId = readOrEmpty('/proc/sys/kernel/random/boot_id').trim();

function ps(...args: string[]): string {
  try {
    return execFileSync('ps', args, { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' } });
  } catch {
    return '';
  }
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
