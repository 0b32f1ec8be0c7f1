import { parseArgs } from 'node:util';
import * as z from 'zod';
import { ConfigError } from '#settings/config-error.ts';

/** Number of processes to run, by kind. */
export interface ProcessCounts {
  web: number;
  workers: number;
}

const maxProcesses = 64;
const processCounts = z.object({
  web: z.coerce.number().int().min(1).max(maxProcesses).default(1),
  workers: z.coerce.number().int().min(0).max(maxProcesses).default(1),
});

/**
 * Reads `--web 2 --workers 2`; either may be missing. Returns undefined if both are: one process does
 * everything. Throws {@link ConfigError}.
 */
export function readProcessCounts(args: string[]): ProcessCounts | undefined {
  try {
    const { values } = parseArgs({ args, options: { web: { type: 'string' }, workers: { type: 'string' } } });
    if (values.web === undefined && values.workers === undefined) return undefined;
    return processCounts.parse(values);
  } catch {
    throw new ConfigError(
      `--web and --workers each take a number of processes up to ${maxProcesses}; at least one web process is required.`,
    );
  }
}
