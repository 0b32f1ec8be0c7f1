import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startDemo, withFolder } from '@hengfu/server/testing/test-installation.ts';
import { atMost, type Figure, percentile } from './figures.ts';

const laterStarts = 5;
const restMs = 15_000;

/** Measures start to first page, with and without creating demo data, and memory at rest. */
export async function measureStart(): Promise<Figure[]> {
  return withFolder(async (folder) => {
    const first = await startOnce(folder, 0);
    const later: number[] = [];
    let memory = { serverMib: 0, sandboxMib: 0, databaseMib: 0 };
    for (let number = 1; number <= laterStarts; number++) {
      const started = await startOnce(folder, number === laterStarts ? restMs : 0);
      later.push(started.seconds);
      memory = started.memory;
    }
    return [
      atMost('first start, with demo data', first.seconds, 's', 15),
      atMost('later start, median', percentile(later, 0.5), 's', 1),
      atMost('server at rest', memory.serverMib, 'MiB', 100),
      { name: 'sandbox bank at rest', value: memory.sandboxMib, unit: 'MiB' },
      { name: 'PostgreSQL at rest, its processes’ own memory', value: memory.databaseMib, unit: 'MiB' },
    ];
  });
}

interface Started {
  seconds: number;
  memory: { serverMib: number; sandboxMib: number; databaseMib: number };
}

/** Starts the product, loads its first page, rests for `idleMs`, measures memory, and stops it. */
async function startOnce(dataDir: string, idleMs: number): Promise<Started> {
  const startedAt = performance.now();
  const product = await startDemo(dataDir);
  await (await fetch(`${product.url}/login`)).text();
  const seconds = (performance.now() - startedAt) / 1000;
  await pause(idleMs);
  const memory =
    idleMs > 0 ? readMemory(product.process.pid ?? 0) : { serverMib: 0, sandboxMib: 0, databaseMib: 0 };
  await product.stop();
  return { seconds, memory };
}

/** Proportional set size (PSS) of the product's processes, grouped by command line. Linux only. */
function readMemory(rootPid: number): Started['memory'] {
  const totalMib = (pattern: RegExp) =>
    processesUnder(rootPid)
      .filter(({ command }) => pattern.test(command))
      .reduce((sum, { pid }) => sum + pssMib(pid), 0);
  return {
    serverMib: totalMib(/server\/dist\/main\.js/),
    sandboxMib: totalMib(/sandbox\/dist\/main\.js/),
    databaseMib: totalMib(/postgres/),
  };
}

function processesUnder(pid: number): { pid: number; command: string }[] {
  const command = readProc(`${pid}/cmdline`).replaceAll('\0', ' ');
  const children = readProc(`${pid}/task/${pid}/children`).trim().split(' ').filter(Boolean).map(Number);
  return [{ pid, command }, ...children.flatMap((child) => processesUnder(child))];
}

function pssMib(pid: number): number {
  return Number(/^Pss:\s+(\d+) kB/m.exec(readProc(`${pid}/smaps_rollup`))?.[1] ?? 0) / 1024;
}

function readProc(path: string): string {
  try {
    return readFileSync(join('/proc', path), 'utf8');
  } catch {
    return '';
  }
}
