import { expect, test } from 'vitest';
import { completeLockFile } from '../complete-lock-file.ts';
import { missingEntries } from './lock-file.ts';

const tool = {
  version: '1.2.3',
  dev: true,
  license: 'MIT',
  optionalDependencies: { 'tool-linux-x64-gnu': '1.2.3' },
};

test('reports a platform’s package that is not locked', () => {
  const lock = { packages: { '': {}, 'node_modules/tool': tool } };
  expect(missingEntries(lock)).toEqual([{ name: 'tool-linux-x64-gnu', version: '1.2.3', requiredBy: tool }]);
});

test('accepts a package that is locked at the top level or nested', () => {
  const binding = { version: '1.2.3' };
  expect(
    missingEntries({ packages: { 'node_modules/tool': tool, 'node_modules/tool-linux-x64-gnu': binding } }),
  ).toEqual([]);
  const nested = 'node_modules/tool/node_modules/tool-linux-x64-gnu';
  expect(missingEntries({ packages: { 'node_modules/tool': tool, [nested]: binding } })).toEqual([]);
});

test('adds the missing entry for its platform only, in npm’s order', () => {
  const lock = {
    name: 'hengfu',
    packages: { '': {}, 'node_modules/zod': { version: '4.0.0' }, 'node_modules/tool': tool },
  };
  const complete = completeLockFile(lock);
  expect(Object.keys(complete.packages)).toEqual([
    '',
    'node_modules/tool',
    'node_modules/tool-linux-x64-gnu',
    'node_modules/zod',
  ]);
  expect(complete.packages['node_modules/tool-linux-x64-gnu']).toEqual({
    version: '1.2.3',
    cpu: ['x64'],
    dev: true,
    libc: ['glibc'],
    license: 'MIT',
    optional: true,
    os: ['linux'],
  });
  expect(complete).toMatchObject({ name: 'hengfu' });
  expect(missingEntries(complete)).toEqual([]);
});

test('throws if a package’s name does not include a platform', () => {
  const odd = { ...tool, optionalDependencies: { extra: '1.0.0' } };
  expect(() => completeLockFile({ packages: { 'node_modules/tool': odd } })).toThrow('extra');
});
