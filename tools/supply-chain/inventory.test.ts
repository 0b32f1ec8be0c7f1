import { expect, test } from 'vitest';
import { inventoryProblems } from '../checks/inventory.ts';
import type { LockEntry } from '../checks/lock-file.ts';
import { readSource } from '../sources.ts';
import { inventoryFiles } from './inventory.ts';
import { productionOf } from './production.ts';

const integrity = `sha512-${Buffer.from('content').toString('base64')}`;
const entry = { version: '1.0.0', license: 'MIT', integrity };
const packages: Record<string, LockEntry> = {
  '': {},
  server: { name: '@hengfu/server', version: '0.1.0', dependencies: { a: '1.0.0', '@hengfu/contract': '*' } },
  contract: { name: '@hengfu/contract', version: '0.1.0', dependencies: { shared: '1.0.0' } },
  e2e: { dependencies: { tool: '1.0.0' } },
  'node_modules/@hengfu/contract': { link: true, resolved: 'contract' },
  'node_modules/a': {
    ...entry,
    dependencies: { shared: '2.0.0' },
    optionalDependencies: { native: '1.0.0', 'not-locked': '1.0.0' },
    peerDependencies: { tool: '*' },
    peerDependenciesMeta: { tool: { optional: true } },
  },
  'node_modules/a/node_modules/shared': { ...entry, version: '2.0.0' },
  'node_modules/native': { ...entry, license: 'MIT AND ISC', dependencies: { deep: '1.0.0' } },
  'node_modules/deep': { ...entry, name: 'real-name' },
  'node_modules/shared': entry,
  'node_modules/tool': entry,
};

test('finds the packages that production workspaces reach, as Node resolves them', () => {
  const { packages: found, direct } = productionOf({ packages }, ['server', 'contract']);
  expect(found.map(({ name, version, isOptional }) => [name, version, isOptional])).toEqual([
    ['a', '1.0.0', false],
    ['native', '1.0.0', true],
    ['real-name', '1.0.0', true],
    ['shared', '1.0.0', false],
    ['shared', '2.0.0', false],
  ]);
  expect(found[0]?.needs).toEqual(['native@1.0.0', 'shared@2.0.0']);
  expect(direct).toEqual(['a@1.0.0', 'shared@1.0.0']);
});

test('treats a package as required if it is required anywhere', () => {
  const both = { ...packages, e2e: { dependencies: { native: '1.0.0' } } };
  const { packages: found } = productionOf({ packages: both }, ['server', 'e2e']);
  expect(found.filter(({ isOptional }) => isOptional)).toEqual([]);
});

test('throws if the lock file lacks a required package', () => {
  const { 'node_modules/shared': _, ...rest } = packages;
  expect(() => productionOf({ packages: rest }, ['contract'])).toThrow('contract needs shared');
});

test('writes identical files each time, without times and machine names', () => {
  const [first, second] = [inventoryFiles(), inventoryFiles()];
  expect([...first]).toEqual([...second]);
  for (const text of first.values()) expect(text).not.toMatch(/timestamp|serialNumber|localhost|registry/);
});

test('includes the main dependencies of server and console in the bill of materials', () => {
  const [[path, text] = ['', '{}']] = inventoryFiles();
  expect(path).toBe(`docs/sbom/hengfu-${JSON.parse(readSource('package.json')).version}.cdx.json`);
  const { components, dependencies } = JSON.parse(text);
  const names = components.map(({ name }: { name: string }) => name);
  expect(names).toEqual(expect.arrayContaining(['fastify', 'pg', 'react', 'zod']));
  expect(names).not.toContain('vitest');
  const refs = new Set(components.map((component: { 'bom-ref': string }) => component['bom-ref']));
  const targets = dependencies.flatMap(({ dependsOn }: { dependsOn: string[] }) => dependsOn);
  expect(targets.filter((target: string) => !refs.has(target))).toEqual([]);
});

test.each([
  ['version', '"version": "8.23.1"', '"version": "8.23.2"'],
  ['license', '"license": "MIT"', '"license": "ISC"'],
])('reports both files after the lock file’s %s changed', (_, from, to) => {
  const changed = inventoryFiles((path) => readSource(path).replaceAll(from, to));
  expect(inventoryProblems(changed, readSource)).toEqual([
    expect.stringMatching(/^docs\/sbom\/.* does not match package-lock.json: run npm run sbom/),
    expect.stringMatching(/^docs\/licenses.md does not match/),
  ]);
});

test('reports a changed hash, and missing files', () => {
  const changed = inventoryFiles((path) => readSource(path).replaceAll('"sha512-', '"sha512-AAAA'));
  expect(inventoryProblems(changed, readSource)).toEqual([expect.stringContaining('docs/sbom/')]);
  expect(inventoryProblems(inventoryFiles(), () => undefined)).toHaveLength(2);
});
