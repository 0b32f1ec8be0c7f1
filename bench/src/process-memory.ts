import { readFile } from 'node:fs/promises';
import type { Served } from '@hengfu/server/testing/test-installation.ts';

const kibPerMib = 1024;

/** Resident memory of a process of the product. Linux only. */
export async function memoryMib({ process }: Served): Promise<number> {
  const status = await readFile(`/proc/${process.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / kibPerMib;
}
