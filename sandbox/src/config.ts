import { z } from 'zod';
import type { SandboxOptions } from './server.ts';

const flag = z.enum(['0', '1']).default('0');

const environment = z.object({
  SANDBOX_PORT: z.coerce.number().int().min(0).max(65_535).default(0),
  SANDBOX_HOST: z.string().min(1).default('127.0.0.1'),
  SANDBOX_DATA: z.string().min(1),
  SANDBOX_SECRET: z.string().min(16),
  SANDBOX_PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  SANDBOX_CONTROL: flag,
  SANDBOX_EXIT_WITH_PARENT: flag,
});

/**
 * The configuration of the process: the bank's options, and whether it exits when its standard input ends.
 */
export type Config = { options: SandboxOptions; exitsWithParent: boolean };

/**
 * Reads the environment; an empty variable counts as missing. Throws an error that names each bad variable.
 */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = environment.safeParse(given);
  if (!parsed.success) {
    const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    throw new Error(`The sandbox can't start. ${faults.join('; ')}`);
  }
  const { data } = parsed;
  return {
    options: {
      port: data.SANDBOX_PORT,
      host: data.SANDBOX_HOST,
      dataDirectory: data.SANDBOX_DATA,
      secret: data.SANDBOX_SECRET,
      publicUrl: data.SANDBOX_PUBLIC_URL,
      hasControl: data.SANDBOX_CONTROL === '1',
      logLevel: 'warn',
    },
    exitsWithParent: data.SANDBOX_EXIT_WITH_PARENT === '1',
  };
}
