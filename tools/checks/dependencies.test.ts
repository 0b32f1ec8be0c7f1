import { expect, test } from 'vitest';
import { dependencyProblems, scriptProblems } from './dependencies.ts';

const integrity = 'sha512-AAAA';

test('a licence is allowed where all its parts are, or any of its choices is', () => {
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
    'node_modules/@scope/both: the licence Apache-2.0 AND GPL-3.0 is not among those that are allowed',
    'node_modules/a/node_modules/none: the licence none is not among those that are allowed',
  ]);
});

test('a production package without a hash is found; a development one of another platform may lack it', () => {
  expect(
    dependencyProblems({
      'node_modules/bare': { license: 'MIT' },
      'node_modules/tool': { license: 'MIT', dev: true },
    }),
  ).toEqual(['node_modules/bare: the lock file has no integrity for it']);
});

const runs = { license: 'MIT', integrity, hasInstallScript: true };
const packages = { 'node_modules/@scope/runs': runs, 'node_modules/a/node_modules/nested': runs };

test('a script at the installation has to be decided upon, by allowing or denying it', () => {
  expect(scriptProblems(packages, {})).toEqual([
    'node_modules/@scope/runs: runs a script when it is installed; decide on it in allowScripts',
    'node_modules/a/node_modules/nested: runs a script when it is installed; decide on it in allowScripts',
  ]);
  expect(scriptProblems(packages, { '@scope/runs': true, nested: false })).toEqual([]);
});

test.each(['*', '@scope/*', '@scope/runs@1.0.0', 'nested@*', 'file:nested', 'gone', 'still-here', ''])(
  '“%s” decides on no script',
  (key) => {
    const locked = { ...packages, 'node_modules/still-here': { license: 'MIT', integrity } };
    expect(scriptProblems(locked, { '@scope/runs': true, nested: true, [key]: true })).toEqual([
      `allowScripts: ${key} is not the name of a locked package with a script`,
    ]);
  },
);
