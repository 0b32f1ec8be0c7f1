import { expect, test } from 'vitest';
import { readSource } from '../sources.ts';
import { judgeAdvisories, judgeSignatures } from './npm-audit.ts';

const recorded = (name: string, exitCode: number) => ({
  exitCode,
  stdout: readSource(`tools/supply-chain/recorded/${name}.json`),
});
const half = (name: string) => {
  const { stdout } = recorded(name, 0);
  return { exitCode: 0, stdout: stdout.slice(0, stdout.length / 2) };
};

test('signatures are verified only where npm says so and ends well', () => {
  expect(judgeSignatures(recorded('signatures-valid', 0))).toEqual({ kind: 'verified' });
  expect(judgeSignatures(recorded('signatures-valid', 1)).kind).toBe('failed');
});

test.each([
  ['signatures-invalid', 'one@1.0.0: its signature is invalid'],
  ['signatures-missing', 'two@1.0.0: the registry signs, but not this'],
  ['signatures-gone', 'the registry does not have a package any more'],
])('%s fails, with the package', (name, problem) => {
  // The exit code alone must not decide.
  for (const exitCode of [0, 1])
    expect(judgeSignatures(recorded(name, exitCode))).toEqual({
      kind: 'failed',
      problems: [expect.stringContaining(problem)],
    });
});

test.each([
  ['signatures-unreachable', 'no connection (ENOTFOUND)'],
  ['signatures-no-keys', 'the registry offers no signing keys'],
])('%s is no answer', (name, reason) => {
  for (const exitCode of [0, 1])
    expect(judgeSignatures(recorded(name, exitCode))).toEqual({ kind: 'unanswered', reason });
});

test('no advisories: verified', () => {
  expect(judgeAdvisories(recorded('advisories-none', 0), [])).toEqual({ kind: 'verified' });
});

test('an advisory of high severity fails, a moderate one is noted', () => {
  expect(judgeAdvisories(recorded('advisories-found', 1), [])).toEqual({
    kind: 'failed',
    problems: ['one: high: one lets anybody in (https://github.com/advisories/GHSA-aaaa-bbbb-cccc)'],
  });
});

test('an accepted advisory passes for its own package alone, and only while it is reported', () => {
  const accepted = { advisory: 'GHSA-aaaa-bbbb-cccc', package: 'one', reason: 'r', expires: '2030-01-01' };
  const found = recorded('advisories-found', 1);
  expect(judgeAdvisories(found, [accepted])).toEqual({
    kind: 'verified',
    note: '2 advisories, none to act upon now',
  });
  for (const other of [
    { ...accepted, package: 'two' },
    { ...accepted, advisory: 'GHSA-dddd-eeee-ffff' },
  ])
    expect(judgeAdvisories(found, [other]).kind).toBe('failed');
  expect(judgeAdvisories(recorded('advisories-none', 0), [accepted])).toEqual({
    kind: 'failed',
    problems: ['one: GHSA-aaaa-bbbb-cccc is accepted, but not reported any more: remove it'],
  });
});

test.each([
  ['advisories-not-allowed', 'the registry replied 405'],
  ['advisories-busy', 'the registry replied 503'],
  ['advisories-no-json', 'something replied that is not JSON'],
  ['advisories-unreachable', 'no connection (ECONNREFUSED)'],
])('%s is no answer', (name, reason) => {
  for (const exitCode of [0, 1])
    expect(judgeAdvisories(recorded(name, exitCode), [])).toEqual({ kind: 'unanswered', reason });
});

test.each([
  ['nothing', { exitCode: 0, stdout: '' }],
  ['null', { exitCode: 0, stdout: 'null' }],
  ['an empty object', { exitCode: 0, stdout: '{}' }],
  ['half a report on signatures', half('signatures-missing')],
  ['half a report on advisories', half('advisories-none')],
  ['an unknown error', { exitCode: 1, stdout: '{"error":{"code":"EUNKNOWN","summary":"?"}}' }],
  ['a report on no package', { exitCode: 0, stdout: '{"auditReportVersion":2,"vulnerabilities":{}}' }],
  ['advisories and a good end', recorded('advisories-found', 0)],
  ['no advisory and a bad end', recorded('advisories-none', 1)],
])('%s never passes and is never skipped', (_, answer) => {
  expect(judgeAdvisories(answer, []).kind).toBe('failed');
  expect(judgeSignatures(answer).kind).toBe('failed');
});
