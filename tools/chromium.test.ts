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

test('the one that is named comes first, then the system’s, then Playwright’s, and the package’s last', () => {
  const candidates = chromiumCandidates({ CHROMIUM_PATH: '/mine' });
  const placeOf = (part: RegExp) => candidates.findIndex((path) => part.test(path));
  const places = [/^.mine$/, /^.usr.bin.chromium$/, /^.usr.bin.google-chrome$/, /chromium-\d+/].map(placeOf);
  expect(places).toEqual([...places].sort((one, other) => one - other));
  expect(places).not.toContain(-1);
  expect(candidates.at(-1)).toBe(packagedChromium);
  expect(chromiumCandidates({})[0]).toBe('/usr/bin/chromium');
});

test('the first that runs is taken', async () => {
  const [broken, first, second] = [fake('broken', 1), fake('first', 0), fake('second', 0)];
  expect(await findChromium([join(folder, 'absent'), broken, first, second])).toBe(first);
  expect(await findChromium([broken])).toBeUndefined();
});

test('the product does not depend on the package, which has a lock file with hashes of its own', () => {
  expect(readSource('package-lock.json')).not.toContain('@sparticuz/chromium');
  const { packages } = JSON.parse(readSource('tools/chromium/package-lock.json'));
  expect(packages['node_modules/@sparticuz/chromium'].integrity).toMatch(/^sha512-/);
});
