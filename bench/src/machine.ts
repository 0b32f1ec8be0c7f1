import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Yardstick } from './figures.ts';

const samples = 60;
const pauseMs = 15;
const bytes = Buffer.alloc(8 * 2 ** 20, 'hengfu');

/**
 * Times a fixed piece of work: the SHA-256 of 8 MiB. Measured before and after a benchmark, with nothing of ours running, its
 * spread shows how much other work disturbs the machine.
 */
export async function measureMachine(): Promise<Yardstick> {
  const values: number[] = [];
  for (let number = 0; number < samples; number++) {
    const startedAt = performance.now();
    createHash('sha256').update(bytes).digest();
    values.push(performance.now() - startedAt);
    await pause(pauseMs);
  }
  return { name: 'SHA-256 of 8 MiB', values, unit: 'ms' };
}

/** Joins the measurements of one yardstick. */
export function joined(one: Yardstick, other: Yardstick): Yardstick {
  return { ...one, values: [...one.values, ...other.values] };
}
