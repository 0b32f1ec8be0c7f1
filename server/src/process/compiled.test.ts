import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { operatorSource } from '../testing/product-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'hengfu-compiled-'));
afterAll(() => rmSync(folder, { recursive: true, maxRetries: 5 }));

/** Returns the operator program's help, run with its compile cache in a directory. */
const help = (cacheDir: string) =>
  execFileSync(process.execPath, [operatorSource, '--help'], {
    env: { ...process.env, NODE_COMPILE_CACHE: cacheDir },
    encoding: 'utf8',
  });

it('fills a compile cache that the next process reuses', () => {
  const cacheDir = join(folder, 'cache');
  const text = help(cacheDir);
  const [version] = readdirSync(cacheDir);
  const files = () => readdirSync(join(cacheDir, version ?? ''));
  const first = files();
  expect(first.length).toBeGreaterThan(100);
  expect(help(cacheDir)).toBe(text);
  expect(files()).toEqual(first);
});

it('runs without a compile cache if the directory is not writable', () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  expect(help(file)).toContain('Usage: operator');
});
