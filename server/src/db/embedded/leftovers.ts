import { createHash } from 'node:crypto';
import { existsSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { commandOf, isAlive, runningProcesses } from './process-table.ts';

/** A signal, and how long to wait for the processes to end before the next one, in milliseconds. */
type Step = readonly [signal: NodeJS.Signals | undefined, waitMs: number];

const pollMs = 20;
const postmasterSteps: Step[] = [
  ['SIGINT', 30_000],
  ['SIGQUIT', 5000],
  ['SIGKILL', 5000],
];
/** Most processes of a dead postmaster exit on their own, but one in a long query does not notice. */
const orphanSteps: Step[] = [
  [undefined, 1000],
  ['SIGQUIT', 2000],
  ['SIGKILL', 5000],
];

/** Returns the name that PostgreSQL puts into the titles of a cluster's processes, unique to the cluster. */
export function clusterTitle(cluster: string): string {
  const { dev, ino } = statSync(cluster);
  const digest = createHash('sha256')
    .update(`${realpathSync(cluster)} ${dev} ${ino}`)
    .digest('hex');
  return `hengfu-${digest.slice(0, 12)}`;
}

/**
 * Ends the processes that a killed product or postmaster left running on this cluster, so that it can be
 * started again. Throws if one cannot be ended. Touches no processes of other clusters.
 */
export async function endLeftovers(cluster: string, log: (line: string) => void): Promise<void> {
  const file = join(cluster, 'postmaster.pid');
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0]) || 0;
  // The process ID may have been reused: only a postgres of this cluster counts.
  const isServer = () => pid > 0 && isAlive(pid) && commandOf(pid).includes(` -D ${cluster} -c `);
  const postmaster = () => (isServer() ? [pid] : []);
  if (postmaster().length > 0) log(`ending the server that the last run left behind (process ${pid})`);
  await endAll(postmaster, postmasterSteps);
  const orphan = `postgres: ${clusterTitle(cluster)}: `;
  await endAll(
    () => runningProcesses().flatMap(({ pid, command }) => (command.startsWith(orphan) ? pid : [])),
    orphanSteps,
  );
  // PostgreSQL would take the process that reused the ID for its own server, and not start.
  if (pid > 0 && isAlive(pid)) rmSync(file, { force: true });
}

async function endAll(find: () => number[], steps: Step[]): Promise<void> {
  for (const [signal, waitMs] of steps) {
    if (signal) for (const pid of find()) send(pid, signal);
    for (const end = Date.now() + waitMs; Date.now() < end; await pause(pollMs)) {
      if (find().length === 0) return;
    }
  }
  throw new Error(`cannot end processes that an earlier run left behind: ${find().join(', ')}`);
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has exited, or is not ours to end: the next check shows.
  }
}
