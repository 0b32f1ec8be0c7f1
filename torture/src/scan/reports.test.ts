import { expect, test } from 'vitest';
import { type Finding, reasonOf, unexplained } from './findings.ts';
import { sqlmapOutcome, wapitiFindings } from './reports.ts';

const wapiti = (vulnerabilities: object, anomalies: object = {}) =>
  JSON.stringify({ classifications: {}, vulnerabilities, anomalies, additionals: {}, infos: {} });

test('reads vulnerabilities and anomalies from wapiti’s report', () => {
  const entry = { method: 'GET', path: '/x?q=1', info: 'Found', level: 1, parameter: 'q', http_request: '' };
  const text = wapiti(
    { 'SQL Injection': [entry], 'Cross Site Scripting': [] },
    { 'Internal Server Error': [{ ...entry, parameter: null }] },
  );
  expect(wapitiFindings(text)).toEqual([
    { by: 'wapiti', kind: 'SQL Injection', method: 'GET', path: '/x?q=1', parameter: 'q', detail: 'Found' },
    {
      by: 'wapiti',
      kind: 'Internal Server Error',
      method: 'GET',
      path: '/x?q=1',
      parameter: '',
      detail: 'Found',
    },
  ]);
  expect(() => wapitiFindings('{}')).toThrow();
});

const sound = `[*] starting @ 10:00:00
[10:00:01] [WARNING] GET parameter 'q' does not seem to be injectable
[10:00:02] [WARNING] URI parameter '#1*' does not seem to be injectable
[10:00:02] [CRITICAL] all tested parameters do not appear to be injectable. Try to increase values
[*] ending @ 10:00:02
`;
const vulnerable = `[*] starting @ 10:00:00
[10:00:01] [WARNING] GET parameter 'q' does not seem to be injectable
sqlmap identified the following injection point(s) with a total of 46 HTTP(s) requests:
---
Parameter: id (GET)
    Type: boolean-based blind
    Title: AND boolean-based blind - WHERE or HAVING clause
    Payload: id=1 AND 1=1
---
[*] ending @ 10:00:05
`;

test('reads findings and tested parameters from sqlmap’s output, and rejects an unfinished run', () => {
  expect(sqlmapOutcome(sound, 'GET', '/x')).toEqual({ findings: [], tested: ['q', '#1*'] });
  const { findings, tested } = sqlmapOutcome(vulnerable, 'GET', '/x');
  expect(tested).toEqual(['q', 'GET id']);
  expect(findings).toMatchObject([
    { kind: 'SQL injection', parameter: 'GET id', detail: expect.stringContaining('AND boolean') },
  ]);
  expect(() => sqlmapOutcome(sound.slice(0, -30), 'GET', '/x')).toThrow('broke off');
  const refused = `[*] starting @ 1\n[1] [CRITICAL] unable to connect to the target URL\n[*] ending @ 1\n`;
  expect(() => sqlmapOutcome(refused, 'GET', '/x')).toThrow('unable to connect');
});

test('accepts a finding only if all of it matches', () => {
  const cookie: Finding = {
    by: 'wapiti',
    kind: 'HttpOnly Flag cookie',
    method: 'GET',
    path: '/',
    parameter: '',
    detail: 'HttpOnly flag is not set in the cookie : XSRF-TOKEN',
  };
  expect(reasonOf(cookie)).toContain('must read');
  const session = { ...cookie, detail: 'HttpOnly flag is not set in the cookie : hengfu_session' };
  expect(unexplained([cookie, session])).toEqual([session]);
});
