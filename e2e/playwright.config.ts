import { launchOptions } from '@hengfu/tools/chromium-options';
import { patternsLeftOut, tagLeftOut } from '@hengfu/tools/long-files';
import { testFolder } from '@hengfu/tools/test-folder';
import { defineConfig, devices } from '@playwright/test';

const isBuildServer = Boolean(process.env.CI);
// Inherited by the processes that run the tests.
process.env.TEST_FOLDER ??= testFolder();
process.env.TMPDIR = process.env.TEST_FOLDER;

export default defineConfig({
  testDir: '.',
  testIgnore: patternsLeftOut('e2e'),
  grepInvert: tagLeftOut(),
  globalSetup: './build.ts',
  outputDir: '../test-results',
  fullyParallel: false,
  // Each worker has a product of its own (story.ts), so its tests never see another worker's data.
  // Two keep two cores busy for four fifths of the time; a build server shares its cores.
  workers: isBuildServer ? 2 : 3,
  forbidOnly: true,
  // A build server shares its machine, so a failed test is retried there once, and reported if it then
  // passes.
  retries: isBuildServer ? 1 : 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: process.env.PLAYWRIGHT_JSON_OUTPUT_NAME ? [['list'], ['json']] : [['list']],
  use: {
    ...devices['Desktop Chrome'],
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    // Tracing accounts for a sixth of the run time, and a file that turns it off needs a worker, and so a product, of its own.
    // `TRACE=1 npm test -- --only=e2e <file>` records the failures of one file.
    trace: process.env.TRACE ? 'retain-on-failure' : 'off',
    launchOptions,
  },
});
