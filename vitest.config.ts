import { defineConfig } from 'vitest/config';

/**
 * Generous: a machine that is busy with other things is no fault of a test. A build server tells what failed once more, and
 * the end of the run names it.
 */
const patience = { testTimeout: 60_000, hookTimeout: 60_000, retry: process.env.CI ? 1 : 0 };

/** Tests live beside their sources. `server` has a PostgreSQL of its own; `unit` needs nothing but Node. */
export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    // The cluster of the tests is stopped and removed before the run ends.
    teardownTimeout: 60_000,
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{phrases,contract,sandbox,console,tools}/**/*.test.ts'],
          ...patience,
        },
      },
      {
        test: {
          name: 'server',
          include: ['server/**/*.test.ts'],
          globalSetup: './server/src/testing/global-setup.ts',
          ...patience,
        },
      },
      // Each torture has a PostgreSQL of its own, which it may kill.
      {
        test: { name: 'torture', include: ['torture/**/*.test.ts'], testTimeout: 300_000, maxConcurrency: 2 },
      },
    ],
  },
});
