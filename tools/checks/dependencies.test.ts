import { expect, test } from 'vitest';
import { dependencyProblems } from './dependencies.ts';

test('a licence is allowed where all its parts are, or any of its choices is', () => {
  const problems = dependencyProblems(
    {
      '': {},
      server: {},
      'node_modules/good': { license: 'MIT' },
      'node_modules/choice': { license: 'GPL-3.0 OR Apache-2.0' },
      'node_modules/@scope/both': { license: 'Apache-2.0 AND GPL-3.0' },
      'node_modules/a/node_modules/none': {},
      'node_modules/ours': { link: true },
    },
    [],
  );
  expect(problems).toEqual([
    'node_modules/@scope/both: the licence Apache-2.0 AND GPL-3.0 is not among those that are allowed',
    'node_modules/a/node_modules/none: the licence none is not among those that are allowed',
  ]);
});

test('a script at the installation has to be decided upon', () => {
  const packages = { 'node_modules/runs': { license: 'MIT', hasInstallScript: true } };
  expect(dependencyProblems(packages, [])).toHaveLength(1);
  expect(dependencyProblems(packages, ['runs'])).toEqual([]);
});
