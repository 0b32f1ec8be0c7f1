import { expect, test } from 'vitest';
import { machinePaths } from './paths.ts';

const slash = '/';

test.each([
  `cd ${slash}home/ann/hengfu`,
  `"${slash}root/.npm"`,
  `see ${slash}work/main.`,
  `${slash}Users/ann/x`,
])('reports %s with its line number', (line) => {
  expect(machinePaths('a.md', `first\n${line}`)).toEqual([expect.stringMatching(/^a\.md:2: /)]);
});

test.each([
  'GET /api/work/1',
  '../work/x',
  'homework/root/',
  '/usr/bin/chromium',
  '/usr/bin/chromium-headless-shell',
  'https://a.test/home/ann/',
])('accepts %s', (line) => {
  expect(machinePaths('a.md', line)).toEqual([]);
});
