import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Figure } from './figures.ts';

/** Processor time in milliseconds: of the program's own code, and of the kernel on its behalf. */
export interface ProcessorTime {
  userMs: number;
  kernelMs: number;
}

/** Linux counts processor time in hundredths of a second (`USER_HZ`). */
const tickMs = 10;

interface ProcessStat extends ProcessorTime {
  parent: number;
  /** Of its children that have ended. */
  ended: ProcessorTime;
}

/** Reads the counters of a process; undefined if it has ended. See proc(5), /proc/pid/stat. */
function statOf(pid: number): ProcessStat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The second field, the program's name, may contain spaces and parentheses.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const millisecondsAt = (index: number) => Number(fields[index] ?? 0) * tickMs;
    return {
      parent: Number(fields[1] ?? 0),
      userMs: millisecondsAt(11),
      kernelMs: millisecondsAt(12),
      ended: { userMs: millisecondsAt(13), kernelMs: millisecondsAt(14) },
    };
  } catch {
    return undefined;
  }
}

/** Returns the processor time of the PostgreSQL cluster in a data directory: of its postmaster and all processes of that, ended ones included. */
function postgresTime(clusterFolder: string): ProcessorTime {
  const postmaster = Number(readFileSync(join(clusterFolder, 'postmaster.pid'), 'utf8').split('\n')[0]);
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), stat: statOf(Number(name)) }))
    .filter(({ pid, stat }) => pid === postmaster || stat?.parent === postmaster)
    .reduce((total, { stat }) => sum(total, stat ?? none), statOf(postmaster)?.ended ?? none);
}

const none: ProcessorTime = { userMs: 0, kernelMs: 0 };

const sum = (one: ProcessorTime, other: ProcessorTime): ProcessorTime => ({
  userMs: one.userMs + other.userMs,
  kernelMs: one.kernelMs + other.kernelMs,
});

/**
 * Measures the processor time that a server process and its PostgreSQL use meanwhile, and returns it per order, with the result.
 * No figures where the system has no /proc.
 * @param countOf number of orders in the result
 */
export async function withProcessorTime<R>(
  { serverPid, clusterFolder }: { serverPid: number; clusterFolder: string },
  work: () => Promise<R>,
  countOf: (result: R) => number,
): Promise<{ result: R; figures: Figure[] }> {
  if (!existsSync('/proc/self/stat')) return { result: await work(), figures: [] };
  const read = () => ({ Node: statOf(serverPid) ?? none, PostgreSQL: postgresTime(clusterFolder) });
  const before = read();
  const result = await work();
  const after = read();
  const count = countOf(result);
  const figures = (['PostgreSQL', 'Node'] as const).flatMap((name) => [
    {
      name: `${name}, own code`,
      value: ((after[name].userMs - before[name].userMs) * 1000) / count,
      unit: 'µs',
    },
    {
      name: `${name}, kernel`,
      value: ((after[name].kernelMs - before[name].kernelMs) * 1000) / count,
      unit: 'µs',
    },
  ]);
  return { result, figures };
}
