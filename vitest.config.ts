import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { launchOptions } from './tools/chromium-options.ts';
import { testFolder } from './tools/test-folder.ts';
import { patternsLeftOut } from './tools/testing/long-files.ts';
import { SlowFirst } from './tools/testing/slow-first.ts';

/** Tortures keep their durable clusters on the disk, as a user does. This file may be read again, when the folder is another. */
process.env.DISK_FOLDER ??= tmpdir();
const onDisk = { TMPDIR: process.env.DISK_FOLDER };
// Inherited by the processes that run the tests, whose other temporary files belong there, too: clusters come and go with their files.
process.env.TEST_FOLDER ??= testFolder();
process.env.TMPDIR = process.env.TEST_FOLDER;

/**
 * Generous: a machine that is busy with other things is no fault of a test. A build server retries failed tests once, and the end
 * of the run names them.
 */
const patience = { testTimeout: 60_000, hookTimeout: 60_000, retry: process.env.CI ? 1 : 0 };

/** Young objects of tests die late: with room for them, the collector takes a tenth less of the processor time. */
const execArgv = ['--max-semi-space-size=64', '--min-semi-space-size=16'];

/**
 * Loading and compiling a file's modules takes longer than most of its tests. So the files of a worker share them, and what they leave
 * behind: a test puts back what it stubs. Files that replace modules, or load them more than once, are named `*.isolated.test.ts`.
 */
const unitFolders = '{phrases,contract,sandbox,ui,client,console,backoffice,tools,bench,sdk}';
const quickArgon2 = join(import.meta.dirname, 'server/src/testing/quick-argon2.ts');
const isolatedFiles = '**/*.isolated.test.ts';
const aloneFiles = 'torture/**/*.alone.test.ts';
const excluded = ['**/node_modules/**', ...patternsLeftOut('vitest')];
const notIsolated = [...excluded, isolatedFiles];

/**
 * Tests live beside their sources. `server` has a PostgreSQL of its own; `unit` needs nothing but Node; `ui` shows the controls in
 * Chromium.
 */
export default defineConfig({
  test: {
    pool: 'forks',
    // On two cores: many tests wait for time to pass rather than for the processor.
    maxWorkers: 3,
    sequence: { sequencer: SlowFirst },
    // The cluster of the tests is stopped and removed before the run ends.
    teardownTimeout: 60_000,
    projects: [
      {
        test: {
          name: 'unit',
          include: [`${unitFolders}/**/*.test.ts`],
          exclude: notIsolated,
          isolate: false,
          execArgv,
          ...patience,
        },
      },
      { test: { name: 'unit-isolated', include: [`${unitFolders}/${isolatedFiles}`], ...patience } },
      // Without the PostgreSQL of the others: these start their own.
      {
        test: {
          name: 'server-isolated',
          include: [`server/${isolatedFiles}`],
          exclude: excluded,
          ...patience,
        },
      },
      {
        // Bundled before the first test: a dependency found later reloads the page under it.
        optimizeDeps: {
          entries: ['ui/src/**/*.{ts,tsx}', 'ui/workbench/**/*.{ts,tsx}'],
          include: ['react/jsx-dev-runtime', '@base-ui/react/*', 'axe-core'],
        },
        test: {
          name: 'ui',
          include: ['ui/**/*.test.tsx'],
          setupFiles: ['./ui/workbench/testing/setup.ts'],
          browser: {
            enabled: true,
            headless: true,
            provider: playwright({ launchOptions, contextOptions: { reducedMotion: 'reduce' } }),
            instances: [{ browser: 'chromium' }],
            viewport: { width: 1280, height: 800 },
            screenshotFailures: false,
          },
          ...patience,
        },
      },
      {
        // Passwords of tests at the lowest cost; `keepRealPasswords` of the same file is for tests that the cost is a part of.
        resolve: { alias: [{ find: /^@node-rs\/argon2$/, replacement: quickArgon2 }] },
        test: {
          name: 'server',
          include: ['server/**/*.test.ts'],
          exclude: notIsolated,
          globalSetup: './server/src/testing/global-setup.ts',
          isolate: false,
          execArgv,
          ...patience,
        },
      },
      // Each torture has a PostgreSQL of its own, which it may kill.
      {
        test: {
          name: 'torture',
          include: ['torture/**/*.test.ts'],
          exclude: ['**/node_modules/**', aloneFiles],
          testTimeout: 480_000,
          maxConcurrency: 2,
          env: onDisk,
        },
      },
      // A cluster of machines and the product in several processes need the machine for themselves: they come last.
      {
        test: {
          name: 'torture-alone',
          include: [aloneFiles],
          testTimeout: 480_000,
          // How soon a cluster has a standby again also depends on the machine.
          retry: patience.retry,
          sequence: { groupOrder: 1 },
          env: onDisk,
        },
      },
    ],
  },
});
