import { expect, test } from 'vitest';
import { checkImports } from './check-imports.ts';
import type { Workspace } from './resolve.ts';

const workspaces: Workspace[] = [
  { directory: 'phrases', name: '@hengfu/phrases', exports: { './*': './src/*.ts' } },
  { directory: 'contract', name: '@hengfu/contract', exports: { './*': './src/*.ts' } },
  { directory: 'ui', name: '@hengfu/ui', exports: { './*': './src/*' } },
  { directory: 'sandbox', name: '@hengfu/sandbox', exports: { './*': './src/*.ts' } },
  { directory: 'server', name: '@hengfu/server', imports: { '#*': './src/*' } },
];

/** Checks one file with one import. */
function problemsOf(file: string, specifier: string): string[] {
  return checkImports(new Map([[file, `import { x } from '${specifier}';`]]), workspaces);
}

const payouts = 'server/src/features/payouts';

test.each([
  ['server/src/features/payouts/payouts.routes.ts', './payouts.service.ts'],
  [`${payouts}/payouts.routes.ts`, '#http/bind.ts'],
  [`${payouts}/payouts.service.ts`, '#ledger/ledger.ts'],
  [`${payouts}/payouts.service.ts`, './payouts.sql.ts'],
  [`${payouts}/payouts.sql.ts`, 'kysely'],
  [`${payouts}/payouts.rules.ts`, '@hengfu/contract/payouts'],
  [`${payouts}/payouts.test.ts`, '#features/settlements/settlements.service.ts'],
  ['server/src/archive/archiver.ts', './entry.rules.ts'],
  ['server/src/operator/commands.ts', '#features/payouts/payouts.service.ts'],
  ['server/src/demo/seed.ts', '#ledger/ledger.ts'],
  ['server/src/main.ts', './app.ts'],
  ['ui/src/values/money.tsx', '@hengfu/contract/money'],
  ['ui/src/list/list-body.tsx', '../overlays/popover.tsx'],
  ['console/src/platform/failures.ts', '@hengfu/ui/feedback/toast.ts'],
  ['console/src/shared/forms/use-form.ts', '../../platform/http.ts'],
  ['console/src/features/payouts/payout-form.tsx', '@hengfu/ui/values/money.tsx'],
  ['console/src/features/payouts/payout-form.tsx', '../../shared/forms/use-form.ts'],
  ['console/src/routes/behalfPay/transfers.tsx', '../../features/payouts/payout-list-page.tsx'],
  ['contract/src/payouts.ts', '@hengfu/phrases/phrases'],
  ['e2e/payouts.spec.ts', '@hengfu/contract/payouts'],
])('permits %s to import %s', (file, specifier) => {
  expect(problemsOf(file, specifier)).toEqual([]);
});

test.each([
  ['phrases/src/en.ts', '@hengfu/contract/money', 'phrases may not import contract'],
  ['contract/src/payouts.ts', '../../server/src/config.ts', 'contract may not import server settings'],
  [
    'server/src/composition/app.ts',
    '../../../console/src/platform/http.ts',
    'may not import console platform',
  ],
  ['console/src/platform/http.ts', '../../../server/src/domain/refusal.ts', 'may not import server domain'],
  ['sandbox/src/main.ts', '@hengfu/contract/money', 'sandbox may not import contract'],
  ['sandbox/src/main.ts', '../../server/src/config.ts', 'sandbox may not import server settings'],
  ['server/src/composition/app.ts', '@hengfu/sandbox/server', 'server composition may not import sandbox'],
  ['e2e/payouts.spec.ts', '../server/src/config.ts', 'e2e may not import server settings'],
  [`${payouts}/payouts.routes.ts`, './payouts.sql.ts', 'server routes may not import server sql'],
  [`${payouts}/payouts.service.ts`, './payouts.routes.ts', 'server services may not import server routes'],
  [`${payouts}/payouts.service.ts`, '#http/caller.ts', 'server services may not import server http'],
  [`${payouts}/payouts.sql.ts`, '#ledger/ledger.ts', 'server sql may not import server ledger'],
  [`${payouts}/payouts.rules.ts`, './payouts.sql.ts', 'server rules may not import server sql'],
  [`${payouts}/payouts.rules.ts`, '#db/pool.ts', 'server rules may not import server db'],
  [`${payouts}/payouts.rules.ts`, 'node:fs', 'rules are pure'],
  [`${payouts}/payouts.service.ts`, 'kysely', 'may import kysely'],
  ['server/src/http/health.ts', 'pg', 'may import pg'],
  [
    `${payouts}/payouts.service.ts`,
    '#features/settlements/settlements.service.ts',
    'feature payouts may not import feature settlements',
  ],
  [
    `${payouts}/payouts.routes.ts`,
    '#features/settlements/settlements.rules.ts',
    'feature payouts may not import feature settlements',
  ],
  ['server/src/domain/refusal.ts', '#db/database.ts', 'server domain may not import server db'],
  ['server/src/domain/refusal.ts', './throttle.sql.ts', 'server domain may not import server sql'],
  ['server/src/domain/throttle.sql.ts', '#ledger/ledger.ts', 'server sql may not import server ledger'],
  ['server/src/threads/slices.ts', '#domain/refusal.ts', 'server threads may not import server domain'],
  ['server/src/observability/log.ts', '#db/pool.ts', 'server observability may not import server db'],
  ['server/src/db/pool.ts', '#domain/refusal.ts', 'server db may not import server domain'],
  ['server/src/composition/app.ts', '#process/fleet.ts', 'server composition may not import server process'],
  ['server/src/ledger/ledger.ts', '#jobs/jobs.ts', 'server ledger may not import server adapters'],
  ['server/src/db/pool.ts', '#ledger/ledger.ts', 'server db may not import server ledger'],
  ['server/src/jobs/worker.ts', '#http/metrics.ts', 'server adapters may not import server http'],
  ['server/src/http/bind.ts', `#features/payouts/payouts.service.ts`, 'may not import server services'],
  ['server/src/operator/commands.ts', '#http/bind.ts', 'server operator may not import server http'],
  ['server/src/operator/commands.ts', '#features/payouts/payouts.sql.ts', 'may not import server sql'],
  ['server/src/demo/seed.ts', '#http/bind.ts', 'server demo may not import server http'],
  ['server/src/composition/app.ts', '#testing/visitor.ts', 'server composition may not import server tests'],
  ['ui/src/list/use-list.ts', '@hengfu/contract/payouts', 'ui may not import contract'],
  ['ui/src/list/use-list.ts', '../../../console/src/platform/http.ts', 'ui may not import console platform'],
  ['ui/src/language/format.ts', '../values/money.tsx', 'ui basics may not import ui controls'],
  ['ui/src/values/money.tsx', '../list/list-types.ts', 'ui controls may not import ui'],
  [
    'console/src/platform/http.ts',
    '@hengfu/ui/values/money.tsx',
    'console platform may not import ui controls',
  ],
  [
    'console/src/platform/http.ts',
    '../shared/forms/use-form.ts',
    'console platform may not import console shared',
  ],
  [
    'console/src/shared/forms/use-form.ts',
    '../../features/payouts/payout-form.tsx',
    'may not import console features',
  ],
  [
    'console/src/features/payouts/payout-form.tsx',
    '../../routes/root.tsx',
    'console features may not import console routes',
  ],
  [
    'console/src/features/payouts/payout-form.tsx',
    '../exports/export-list-page.tsx',
    'feature payouts may not import feature exports',
  ],
  ['console/src/routes/root.tsx', '../app/main.tsx', 'console routes may not import console app'],
  ['ui/src/values/index.ts', './money.tsx', 'index is not a permitted name'],
  ['elsewhere/thing.ts', 'node:fs', 'belongs to no layer'],
])('forbids %s to import %s', (file, specifier, problem) => {
  expect(problemsOf(file, specifier)).toEqual([expect.stringContaining(problem)]);
});

const form = 'console/src/features/payouts/payout-form.tsx';

test.each([
  ["import type { A } from '../../routes/root.tsx';"],
  ["import { type A } from '../../routes/root.tsx';"],
  ["export { a } from '../../routes/root.tsx';"],
  ["export * from '../../routes/root.tsx';"],
  ["export type { A } from '../../routes/root.tsx';"],
  ["const page = () => import('../../routes/root.tsx');"],
  ["let page: import('../../routes/root.tsx').Page;"],
])('detects %s', (source) => {
  expect(checkImports(new Map([[form, `// line 1\n${source}`]]), workspaces)).toEqual([
    `${form}:2: “../../routes/root.tsx”: console features may not import console routes`,
  ]);
});

test('reports a cycle, including through types and sub-paths', () => {
  const files = new Map([
    ['server/src/db/pool.ts', "import type { List } from './rows.ts';"],
    ['server/src/db/rows.ts', "import { now } from '#db/clock.ts';"],
    ['server/src/db/clock.ts', "export type { Pool } from './pool.ts';"],
  ]);
  expect(checkImports(files, workspaces)).toEqual([
    'cycle: server/src/db/pool.ts → server/src/db/rows.ts → server/src/db/clock.ts → server/src/db/pool.ts',
  ]);
});

test('throws if a file can’t be parsed', () => {
  expect(() => checkImports(new Map([['tools/a.ts', 'import {']]), workspaces)).toThrow('tools/a.ts');
});
