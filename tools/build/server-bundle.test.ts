import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { entries } from '@hengfu/server/folders.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isTest, listFiles, readSource, root } from '../sources.ts';
import { sandboxBundle, serverBundle } from './server-bundle.ts';

let folder: string;
const files = new Map<string, string>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hengfu-server-'));
  await serverBundle(root).bundle(folder);
  for (const name of await readdir(folder)) files.set(name, await readFile(join(folder, name), 'utf8'));
});
afterAll(() => rm(folder, { recursive: true }));

test('has a file for each entry, and no path of the machine that built it', () => {
  for (const name of Object.keys(entries)) expect([...files.keys()]).toContain(`${name}.js`);
  for (const [name, code] of files) expect([name, code.includes(root)]).toEqual([name, false]);
});

test('brings all packages along, but for those with compiled code or files of their own', () => {
  // Imports are the first statements of a file.
  const imported = [...files.values()].flatMap((code) => {
    const [statements = ''] = /^(?:import(?:[^;"'`]*\bfrom)?\s*["'`][^"'`]+["'`];?)+/.exec(code) ?? [];
    return [...statements.matchAll(/["'`]([^"'`]+)["'`]/g)].map(([, name = '']) => name);
  });
  const packages = imported.filter((name) => !/^(node:|\.\/part-[\w-]+\.js$|\.\/\w+\.js$)/.test(name));
  expect(imported.length).toBeGreaterThan(50);
  expect([...new Set(packages)].filter((name) => !isBuiltin(name)).toSorted()).toEqual([
    '@node-rs/argon2',
    'pdfkit',
    'sharp',
  ]);
});

test('is written in ASCII, with its phrases in every language', async () => {
  for (const [name, code] of files) expect([name, /[^\0-\x7f]/.test(code)]).toEqual([name, false]);
  const code = [...files.values()].join('');
  // 衡付, the product's name in Chinese.
  expect(code).toContain('\\u8861\\u4ed8');
});

test('the sandbox bank is one file, which needs no package', async () => {
  const bank = await mkdtemp(join(tmpdir(), 'hengfu-sandbox-'));
  try {
    await sandboxBundle(root).bundle(bank);
    expect(await readdir(bank)).toEqual(['main.js']);
    expect(await readFile(join(bank, 'main.js'), 'utf8')).not.toMatch(/from["'](fastify|zod|undici)["']/);
  } finally {
    await rm(bank, { recursive: true });
  }
});

test('finds files by their place in one module only', () => {
  // The kit that tests share knows only the sources.
  const isServed = (path: string) =>
    /^server\/src\/.*\.ts$/.test(path) && !isTest(path) && !path.endsWith('/test-kit.ts');
  const sources = listFiles(root).filter(isServed);
  const placed = sources.filter((path) => /import\.meta\.(dir|file)name/.test(readSource(path)));
  expect(placed).toEqual(['server/src/folders.ts']);
});
