import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { until } from '@hengfu/server/testing/until.ts';
import { run } from '../mounts.ts';

/** The script of a machine's first process: mounts the disk, then waits and reaps orphans. */
const init = (diskKiB: number) => `set -e
mount --make-rprivate /
mount -t tmpfs -o size=${diskKiB}k,mode=755 tmpfs /mnt
ip link set dev lo up
echo ready
set +e
while :; do sleep 3600 & wait $!; done`;

const systemPath = '/usr/sbin:/usr/bin:/sbin:/bin';

/** Where a machine has its disk of limited size. */
export const diskFolder = '/mnt';

/**
 * A machine: processes with their own network, process IDs and mounts. It ends with this process, however
 * that ends, because the kernel kills its first process then and with it all others; nothing is left behind.
 */
export class Machine {
  /** The process ID of its first process, outside of it. */
  readonly pid: number;
  readonly #outer: ChildProcess;
  readonly #space: string;
  /** The programs' parents, which stand outside of the machine and may be stopped with a program. */
  readonly #programs = new Set<ChildProcess>();

  private constructor(outer: ChildProcess, pid: number, space: string) {
    this.#outer = outer;
    this.pid = pid;
    this.#space = space;
  }

  static async start(diskKiB: number): Promise<Machine> {
    const spaces = ['--net', '--pid', '--mount', '--fork', '--kill-child', '--mount-proc'];
    const command = ['--pdeathsig', 'KILL', 'unshare', ...spaces, 'sh', '-c', init(diskKiB)];
    const outer = spawn('setpriv', command, { stdio: ['ignore', 'pipe', 'pipe'] });
    let failure = '';
    outer.stderr.on('data', (text) => {
      failure += text;
    });
    const [reply] = await Promise.race([once(outer.stdout, 'data'), once(outer, 'exit')]);
    if (String(reply).trim() !== 'ready') throw new CommandRefused(`unshare: ${failure.trim() || reply}`);
    const children = await readFile(`/proc/${outer.pid}/task/${outer.pid}/children`, 'utf8');
    const pid = Number(children.trim());
    return new Machine(outer, pid, await readlink(`/proc/${pid}/ns/pid`));
  }

  /** Starts a program on the machine as PostgreSQL's user. Its output goes to a file. */
  start(logFile: number, command: readonly string[]): void {
    const user = ['setpriv', '--reuid', 'postgres', '--regid', 'postgres', '--init-groups'];
    const entering = ['--pdeathsig', 'KILL', 'nsenter', ...this.#entering];
    const child = spawn('setpriv', [...entering, ...user, ...command], {
      stdio: ['ignore', logFile, logFile],
      env: { PATH: systemPath, LANG: 'C.UTF-8' },
    });
    this.#programs.add(child);
    child.once('exit', () => this.#programs.delete(child));
  }

  /** Runs a command on the machine as root; resolves with its output. */
  async run(...command: string[]): Promise<string> {
    return (await run('nsenter', [...this.#entering, ...command])).stdout;
  }

  /** The path of one of its folders as seen from outside. */
  outside(path: string): string {
    return `/proc/${this.pid}/root${path}`;
  }

  /** Sends a signal to all its processes of these names; resolves with their number. */
  async signal(signal: NodeJS.Signals, names: readonly string[]): Promise<number> {
    const pids = await this.#pidsOf(names);
    for (const pid of pids) {
      try {
        process.kill(pid, signal);
      } catch {
        // It has just ended.
      }
    }
    return pids.length;
  }

  /** Kills all its processes of these names, and waits until they are gone. */
  async kill(names: readonly string[]): Promise<void> {
    await until(
      () => this.signal('SIGKILL', names),
      (left) => left === 0,
    );
  }

  /** Ends the machine with everything on it. */
  async end(): Promise<void> {
    if (this.#outer.exitCode !== null || this.#outer.signalCode !== null) return;
    const exited = once(this.#outer, 'exit');
    this.#outer.kill('SIGKILL');
    await exited;
    for (const parent of this.#programs) parent.kill('SIGKILL');
  }

  get #entering(): string[] {
    return ['--target', String(this.pid), '--net', '--pid', '--mount', '--'];
  }

  async #pidsOf(names: readonly string[]): Promise<number[]> {
    const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0);
    const isMine = async (pid: number) => {
      const space = await readlink(`/proc/${pid}/ns/pid`).catch(() => '');
      if (space !== this.#space) return false;
      const state = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
      const [, name = '', letter = 'Z'] = /\((.*)\) (.)/.exec(state) ?? [];
      return letter !== 'Z' && names.includes(name);
    };
    const mine = await Promise.all(pids.map(isMine));
    return pids.filter((_, index) => mine[index]);
  }
}

/** The system refused something that the torture needs. */
export class CommandRefused extends Error {}
