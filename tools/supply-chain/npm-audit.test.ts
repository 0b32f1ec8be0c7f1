import { expect, test } from 'vitest';
import { readSource } from '../sources.ts';
import { judgeAdvisories, judgeSignatures } from './npm-audit.ts';

const recorded = (name: string, exitCode: number) => ({
  exitCode,
  stdout: readSource(`tools/supply-chain/recorded/${name}.json`),
});
const truncated = (name: string) => {
  const { stdout } = recorded(name, 0);
  return { exitCode: 0, stdout: stdout.slice(0, stdout.length / 2) };
};

test('verifies signatures only if npm reports success and exits with 0', () => {
  expect(judgeSignatures(recorded('signatures-valid', 0))).toEqual({ kind: 'verified' });
  expect(judgeSignatures(recorded('signatures-valid', 1)).kind).toBe('failed');
});

test.each([
  ['signatures-invalid', 'one@1.0.0: its signature is invalid'],
  ['signatures-missing', 'two@1.0.0: has no signature, although the registry signs'],
  ['signatures-gone', 'the registry no longer has a package'],
])('fails on %s and names the package', (name, problem) => {
  // The exit code alone must not be decisive.
  for (const exitCode of [0, 1])
    expect(judgeSignatures(recorded(name, exitCode))).toEqual({
      kind: 'failed',
      problems: [expect.stringContaining(problem)],
    });
});

test.each([
  ['signatures-unreachable', 'no connection (ENOTFOUND)'],
  ['signatures-no-keys', 'the registry offers no signing keys'],
])('treats %s as unanswered', (name, reason) => {
  for (const exitCode of [0, 1])
    expect(judgeSignatures(recorded(name, exitCode))).toEqual({ kind: 'unanswered', reason });
});

test('passes without advisories', () => {
  expect(judgeAdvisories(recorded('advisories-none', 0), [])).toEqual({ kind: 'verified' });
});

test('fails on an advisory of high severity, but not on a moderate one', () => {
  expect(judgeAdvisories(recorded('advisories-found', 1), [])).toEqual({
    kind: 'failed',
    problems: ['one: high: one lets anybody in (https://github.com/advisories/GHSA-aaaa-bbbb-cccc)'],
  });
});

test('accepts a listed advisory for its own package only, and only while it is reported', () => {
  const accepted = { advisory: 'GHSA-aaaa-bbbb-cccc', package: 'one', reason: 'r', expires: '2030-01-01' };
  const found = recorded('advisories-found', 1);
  expect(judgeAdvisories(found, [accepted])).toEqual({
    kind: 'verified',
    note: '2 advisories, none that fails the build',
  });
  for (const other of [
    { ...accepted, package: 'two' },
    { ...accepted, advisory: 'GHSA-dddd-eeee-ffff' },
  ])
    expect(judgeAdvisories(found, [other]).kind).toBe('failed');
  expect(judgeAdvisories(recorded('advisories-none', 0), [accepted])).toEqual({
    kind: 'failed',
    problems: ['one: GHSA-aaaa-bbbb-cccc is accepted but no longer reported: remove it'],
  });
});

test.each([
  ['advisories-not-allowed', 'the registry replied 405'],
  ['advisories-busy', 'the registry replied 503'],
  ['advisories-no-json', 'the reply was not JSON'],
  ['advisories-unreachable', 'no connection (ECONNREFUSED)'],
])('treats %s as unanswered', (name, reason) => {
  for (const exitCode of [0, 1])
    expect(judgeAdvisories(recorded(name, exitCode), [])).toEqual({ kind: 'unanswered', reason });
});

test.each([
  ['nothing', { exitCode: 0, stdout: '' }],
  ['null', { exitCode: 0, stdout: 'null' }],
  ['an empty object', { exitCode: 0, stdout: '{}' }],
  ['a truncated signature report', truncated('signatures-missing')],
  ['a truncated advisory report', truncated('advisories-none')],
  ['an unknown error', { exitCode: 1, stdout: '{"error":{"code":"EUNKNOWN","summary":"?"}}' }],
  ['a report of no packages', { exitCode: 0, stdout: '{"auditReportVersion":2,"vulnerabilities":{}}' }],
  ['advisories with exit code 0', recorded('advisories-found', 0)],
  ['no advisories with exit code 1', recorded('advisories-none', 1)],
])('fails on %s', (_, result) => {
  expect(judgeAdvisories(result, []).kind).toBe('failed');
  expect(judgeSignatures(result).kind).toBe('failed');
});
