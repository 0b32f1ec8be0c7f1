import { afterEach, expect, it, vi } from 'vitest';
import { testKey } from '../testing/test-database.ts';
import { withConfig } from './operator.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

it.each([
  ['', 'warn'],
  ['info', 'info'],
])(
  'commands with LOG_LEVEL “%s”, which compose.yaml passes on, log from “%s” on',
  async (given, logLevel) => {
    vi.stubEnv('APP_KEY', testKey);
    vi.stubEnv('DATABASE_URL', 'postgres://nobody@127.0.0.1:1/none');
    vi.stubEnv('LOG_LEVEL', given);
    expect(await withConfig(async (config) => config.logLevel)).toBe(logLevel);
  },
);
