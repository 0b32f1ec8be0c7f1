import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { buildIfStale } from './build-if-stale.ts';
import { precompress } from './precompress.ts';

const script = 'console.log(1);\n'.repeat(200);
let base: string;
let builds = 0;

function write(path: string, content: string): void {
  mkdirSync(dirname(join(base, path)), { recursive: true });
  writeFileSync(join(base, path), content);
}

async function bundle(outDir: string): Promise<void> {
  builds += 1;
  mkdirSync(join(outDir, 'assets'));
  writeFileSync(join(outDir, 'index.html'), `<p>${builds}</p>${script}`);
  writeFileSync(join(outDir, 'assets/main.js'), script);
  writeFileSync(join(outDir, 'assets/tiny.js'), '1;');
  await precompress(outDir);
}

const build = (by = bundle) =>
  buildIfStale(base, {
    dist: join(base, 'console/dist'),
    sources: /^(console|ui\/src|contract|phrases)\//,
    bundle: by,
  });
const built = (path: string) => readFileSync(join(base, 'console/dist', path));

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'hengfu console '));
  builds = 0;
  write('.gitignore', 'dist/\nnode_modules/\n');
  write('package-lock.json', '{}');
  write('console/src/app/main.tsx', 'main');
  write('contract/src/money.ts', 'money');
});
afterEach(() => {
  rmSync(base, { recursive: true });
});

test('does not build again for files that were only touched, and reads them once', async () => {
  await build();
  const stamp = () => readFileSync(join(base, 'console/dist/.stamp'), 'utf8');
  const before = stamp();
  utimesSync(join(base, 'console/src/app/main.tsx'), new Date(0), new Date(0));
  expect(await build()).toBe(false);
  const after = stamp();
  expect(after).not.toBe(before);
  expect(after.split('\n')[0]).toBe(before.split('\n')[0]);
  expect(await build()).toBe(false);
  expect(stamp()).toBe(after);
});

test('builds once, until a source changes', async () => {
  expect(await build()).toBe(true);
  expect(await build()).toBe(false);
  for (const path of [
    'console/src/app/main.tsx',
    'ui/src/controls/button.tsx',
    'contract/src/money.ts',
    'phrases/src/en.ts',
    'package-lock.json',
  ]) {
    write(path, 'changed');
    expect(await build()).toBe(true);
  }
  write('server/src/main.ts', 'not the console’s');
  write('console/src/app/main.test.tsx', 'a test');
  expect(await build()).toBe(false);
});

test('adds compressed copies of assets of 1 KB or more, but not of pages', async () => {
  await build();
  expect(brotliDecompressSync(built('assets/main.js.br')).toString()).toBe(script);
  expect(gunzipSync(built('assets/main.js.gz')).toString()).toBe(script);
  expect(readdirSync(join(base, 'console/dist/assets')).sort()).toEqual([
    'main.js',
    'main.js.br',
    'main.js.gz',
    'tiny.js',
  ]);
  expect(readdirSync(join(base, 'console/dist')).sort()).toEqual(['.stamp', 'assets', 'index.html']);
});

test('keeps the previous build and leaves no other files if a build fails', async () => {
  await build();
  write('console/src/app/main.tsx', 'broken');
  const failing = build(async (outDir) => {
    writeFileSync(join(outDir, 'half.js'), '');
    throw new Error('no such module');
  });
  await expect(failing).rejects.toThrow('no such module');
  expect(built('index.html').toString()).toContain('<p>1</p>');
  expect(readdirSync(join(base, 'console')).sort()).toEqual(['dist', 'src']);
  expect(await build()).toBe(true);
});

test('removes the files of a killed build', async () => {
  write('console/.build-999999999/dist/half.js', '');
  await build();
  expect(existsSync(join(base, 'console/.build-999999999'))).toBe(false);
});
