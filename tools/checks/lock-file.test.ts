import { expect, test } from 'vitest';
import { completed } from '../complete-lock-file.ts';
import { missingEntries } from './lock-file.ts';

const tool = {
  version: '1.2.3',
  dev: true,
  license: 'MIT',
  optionalDependencies: { 'tool-linux-x64-gnu': '1.2.3' },
};

test('a platform’s package that is not locked is missing', () => {
  const lock = { packages: { '': {}, 'node_modules/tool': tool } };
  expect(missingEntries(lock)).toEqual([{ name: 'tool-linux-x64-gnu', version: '1.2.3', wantedBy: tool }]);
});

test('nothing is missing when it is there, at the top or nested', () => {
  const binding = { version: '1.2.3' };
  expect(
    missingEntries({ packages: { 'node_modules/tool': tool, 'node_modules/tool-linux-x64-gnu': binding } }),
  ).toEqual([]);
  const nested = 'node_modules/tool/node_modules/tool-linux-x64-gnu';
  expect(missingEntries({ packages: { 'node_modules/tool': tool, [nested]: binding } })).toEqual([]);
});

test('the completed lock file has it, for its platform only, in npm’s order', () => {
  const lock = {
    name: 'hengfu',
    packages: { '': {}, 'node_modules/zod': { version: '4.0.0' }, 'node_modules/tool': tool },
  };
  const complete = completed(lock);
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

test('a package whose name tells no platform is not guessed', () => {
  const odd = { ...tool, optionalDependencies: { extra: '1.0.0' } };
  expect(() => completed({ packages: { 'node_modules/tool': odd } })).toThrow('extra');
});
