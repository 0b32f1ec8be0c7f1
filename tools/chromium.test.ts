import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chromiumCandidates, findChromium } from './chromium.ts';
import { packagedChromium } from './packaged-chromium.ts';
import { readSource } from './sources.ts';

let folder: string;
const fake = (name: string, exitCode: number) => {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\nexit ${exitCode}\n`);
  chmodSync(path, 0o755);
  return path;
};
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hengfu-chromium-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

test('prefers the configured Chromium, then the system’s, then Playwright’s, then the npm package’s', () => {
  const candidates = chromiumCandidates({ CHROMIUM_PATH: '/mine' });
  const indexOf = (pattern: RegExp) => candidates.findIndex((path) => pattern.test(path));
  const known = [
    /^.mine$/,
    /headless-shell$/,
    /^.usr.bin.chromium$/,
    /^.usr.bin.google-chrome$/,
    /chromium-\d+/,
  ];
  const order = known.map(indexOf);
  expect(order).toEqual([...order].sort((one, other) => one - other));
  expect(order).not.toContain(-1);
  expect(candidates.at(-1)).toBe(packagedChromium);
  expect(chromiumCandidates({})[0]).toBe('/usr/bin/chromium-headless-shell');
});

test('finds the first candidate that runs', async () => {
  const [broken, first, second] = [fake('broken', 1), fake('first', 0), fake('second', 0)];
  expect(await findChromium([join(folder, 'absent'), broken, first, second])).toBe(first);
  expect(await findChromium([broken])).toBeUndefined();
});

test('keeps the npm package out of the product’s dependencies, with its own lock file and hash', () => {
  expect(readSource('package-lock.json')).not.toContain('@sparticuz/chromium');
  const { packages } = JSON.parse(readSource('tools/chromium/package-lock.json'));
  expect(packages['node_modules/@sparticuz/chromium'].integrity).toMatch(/^sha512-/);
});
