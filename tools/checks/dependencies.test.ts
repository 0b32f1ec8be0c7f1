import { expect, test } from 'vitest';
import { dependencyProblems, scriptProblems } from './dependencies.ts';

const integrity = 'sha512-AAAA';

test('allows a license if all of its parts, or any of its alternatives, are allowed', () => {
  const problems = dependencyProblems({
    '': {},
    server: {},
    'node_modules/good': { license: 'MIT', integrity },
    'node_modules/choice': { license: 'GPL-3.0 OR Apache-2.0', integrity },
    'node_modules/@scope/both': { license: 'Apache-2.0 AND GPL-3.0', integrity },
    'node_modules/a/node_modules/none': { integrity },
    'node_modules/ours': { link: true },
  });
  expect(problems).toEqual([
    'node_modules/@scope/both: the license Apache-2.0 AND GPL-3.0 is not allowed',
    'node_modules/a/node_modules/none: the license none is not allowed',
  ]);
});

test('requires a hash for production packages, but not for development packages', () => {
  expect(
    dependencyProblems({
      'node_modules/bare': { license: 'MIT' },
      'node_modules/tool': { license: 'MIT', dev: true },
    }),
  ).toEqual(['node_modules/bare: the lock file has no integrity hash for it']);
});

const runs = { license: 'MIT', integrity, hasInstallScript: true };
const packages = { 'node_modules/@scope/runs': runs, 'node_modules/a/node_modules/nested': runs };

test('requires a decision on each install script, to allow or deny it', () => {
  expect(scriptProblems(packages, {})).toEqual([
    'node_modules/@scope/runs: has an install script; allow or deny it in allowScripts',
    'node_modules/a/node_modules/nested: has an install script; allow or deny it in allowScripts',
  ]);
  expect(scriptProblems(packages, { '@scope/runs': true, nested: false })).toEqual([]);
});

test.each(['*', '@scope/*', '@scope/runs@1.0.0', 'nested@*', 'file:nested', 'gone', 'still-here', ''])(
  'rejects “%s” in allowScripts',
  (key) => {
    const locked = { ...packages, 'node_modules/still-here': { license: 'MIT', integrity } };
    expect(scriptProblems(locked, { '@scope/runs': true, nested: true, [key]: true })).toEqual([
      `allowScripts: ${key} is not the name of a locked package with an install script`,
    ]);
  },
);
