import type { TestNote } from '../stage.ts';

/**
 * Test files that a plain `npm test` leaves to build servers, so that it takes less than 15 minutes on two cores. With `CI=true`, with
 * `--only`, or if files are named, nothing is left out.
 *
 * Three kinds belong here, and only files that take long: those that repeat one check over all pages, lists or languages, randomized
 * attacks, and those that kill, restore or wait for whole processes and clusters.
 */
export const longFiles = {
  vitest: {
    'server/src/archive/archive.test.ts': 'archives and restores months of orders',
    'server/src/archive/entries.test.ts': 'archives and restores months of entries',
    'server/src/callbacks/callbacks.fair.test.ts': 'floods of callbacks',
    'server/src/composition/lists.plans.test.ts': 'the plan of every filter of every list',
    'server/src/composition/lists.totals.test.ts': 'screen, export and SQL for random filters of every list',
    'server/src/composition/replicas.test.ts': 'waits for a replica that lags, stops and comes back',
    'server/src/db/backup/backup.test.ts': 'backs up and restores whole clusters',
    'server/src/db/dead-peer-detection.test.ts': 'waits for connections to die',
    'server/src/db/hosts/failover.isolated.test.ts': 'fails over between servers',
    'server/src/db/hosts/hung-leader.test.ts': 'waits for a hung server',
    'server/src/features/approvals/approvals.adversary.test.ts':
      'random attempts of an adversary to pay unseen',
    'server/src/features/audit-log/audit-archive.test.ts': 'archives and restores months of the audit log',
    'server/src/features/audit-seal/audit-seal.adversary.test.ts': 'every way to change a sealed audit log',
    'server/src/features/exports/heartbeat.test.ts': 'waits for heartbeats of exports',
    'server/src/features/exports/killed-worker.test.ts': 'kills workers in the middle of exports',
    'server/src/features/team/roles/own-roles.adversary.test.ts':
      'random attempts of an adversary to gain permissions',
    'server/src/features/team/team.adversary.test.ts': 'random attempts of an adversary to become an owner',
    'server/src/jobs/worker.test.ts': 'waits for abandoned and recurring jobs',
    'server/src/observability/tracing/traces.test.ts': 'starts the product with a collector of traces',
    'server/src/process/fleet.test.ts': 'starts, kills and restarts several processes',
    'server/src/process/product.test.ts': 'starts, kills and restarts the product and its database',
    'server/src/process/replica.test.ts': 'starts the product on a replica',
    'server/src/recovery/recovery.test.ts': 'restores whole clusters, and compares them with the bank',
  },
  e2e: {
    'e2e/axe.spec.ts': 'axe on every page, detail, filter and menu, in both themes and on a phone',
    'e2e/axe-dialogs.spec.ts': 'axe on every form, dialog and page without a session',
    'e2e/back-office-axe.spec.ts':
      'axe on every page of the back office, in both themes and on a phone, which they must fit',
    'e2e/budgets.spec.ts': 'bytes and requests of every page',
    'e2e/inert.spec.ts': 'hostile texts on every page in three languages',
    'e2e/keyboard.spec.ts': 'long journeys by keyboard',
  },
} as const;

/** Stories that such a run leaves out of files that it runs, by their tag. */
export const longStories = {
  tag: '@long',
  reason:
    'axe on the search palette, on the settings panel in every layout, and on the status page, and whether they fit a phone; every list on a phone in three languages',
};

/** A check within its stories that such a run leaves out. */
export const longChecks = {
  name: 'axe within other stories',
  reason: 'axe on the states that stories bring about',
};

type Stage = keyof typeof longFiles;

/** Files whose tests such a run makes smaller, by `isFullRun` of the server's tests. */
export const smallerTests: Partial<Record<Stage, Readonly<Record<string, string>>>> = {
  vitest: {
    'server/src/features/exports/formulas.test.ts':
      '1,500 random tables instead of 5,000, 300 random files instead of 1,000',
    'server/src/features/payout-batches/payout-batches.approval.test.ts':
      'a batch of 1,000 rows instead of 2,000',
    'server/src/http/sessions.model.test.ts': '20 random sequences instead of 60',
  },
};

/** The environment variable by which the configurations of Vitest and Playwright learn that long files are left out. */
export const leaveLongFiles = 'LEAVE_LONG_FILES';

/** Whether this run leaves long tests to build servers. */
export const leavesLongTests = (): boolean => Boolean(process.env[leaveLongFiles]);

/** Glob patterns of the long files of a stage, if they are left out. */
export function patternsLeftOut(stage: Stage): string[] {
  return leavesLongTests() ? Object.keys(longFiles[stage]).map((file) => `**/${file}`) : [];
}

/** The tag of the stories that are left out, if they are. */
export function tagLeftOut(): RegExp | undefined {
  return leavesLongTests() ? new RegExp(longStories.tag) : undefined;
}

/** The files of a stage that a run leaves out or makes smaller, as skips for its end; some stages have neither. */
export function longFileSkips(stage: string): TestNote[] {
  const files = (stage in longFiles && longFiles[stage as Stage]) || {};
  const smaller = smallerTests[stage as Stage] ?? {};
  const skips = (reasons: Readonly<Record<string, string>>, what: string) =>
    Object.entries(reasons).map(([name, reason]) => ({
      name,
      message: `time: ${reason}; ${what} with CI=true, or if named`,
    }));
  const stories =
    stage === 'e2e'
      ? { [`stories tagged ${longStories.tag}`]: longStories.reason, [longChecks.name]: longChecks.reason }
      : {};
  return [...skips(files, 'runs'), ...skips(stories, 'run'), ...skips(smaller, 'runs in full')];
}
