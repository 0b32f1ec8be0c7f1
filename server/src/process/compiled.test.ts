import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { operatorMain } from '../testing/product-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'hengfu-compiled-'));
afterAll(() => rmSync(folder, { recursive: true, maxRetries: 5 }));

/** What the operator's program says of itself, with what Node makes of its modules kept in a place. */
const help = (place: string) =>
  execFileSync(process.execPath, [operatorMain, '--help'], {
    env: { ...process.env, NODE_COMPILE_CACHE: place },
    encoding: 'utf8',
  });

it('keeps what Node makes of the modules, for the next process', () => {
  const place = join(folder, 'kept');
  const text = help(place);
  const [kept] = readdirSync(place);
  const files = () => readdirSync(join(place, kept ?? ''));
  const first = files();
  expect(first.length).toBeGreaterThan(100);
  expect(help(place)).toBe(text);
  expect(files()).toEqual(first);
});

it('works without it where nothing can be written', () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  expect(help(file)).toContain('Usage: operator');
});
