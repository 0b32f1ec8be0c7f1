import { expect, test } from 'vitest';
import { safeRedirect } from './redirect.ts';

const origin = 'https://console.example';

test.each([
  '/dashboard',
  '/collection/payments?status=paid,success&trade_no=P1',
  '/fund/dailyReport?a=//b#c',
])('keeps %s, a path of this site', (target) => {
  expect(safeRedirect(target, origin)).toBe(target);
});

test.each([
  undefined,
  null,
  ['/dashboard'],
  '',
  'dashboard',
  'https://evil.example/',
  'https://console.example.evil.example/',
  'javascript:alert(1)',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  '/\n//evil.example',
  '/.//evil.example',
  '/x/..//evil.example',
  '\\\\evil.example',
  'https:evil.example',
  'https:\\\\evil.example',
  'javascript:alert(1)//',
  'java\nscript:alert(1)',
  'data:text/html,x',
  '%2f%2fevil.example',
  '%5c%5cevil.example',
  '@evil.example',
  ' //evil.example',
  '\r\n//evil.example',
  '/\r\n/evil.example',
  '/\u2028/..//evil.example',
  '/login',
  '/login?redirect=/login',
])('replaces %j by the start page', (target) => {
  expect(safeRedirect(target, origin)).toBe('/');
});

test('never leaves this site', () => {
  for (const start of ['/', '//', '/\\', '/%2f', '/..', '/.', '/@', '/:', '/?', '/#']) {
    for (const rest of [
      'evil.example',
      'https:evil.example',
      '%2f%2fevil.example',
      '%5c%5cevil.example',
      '%0d%0aLocation:%20//evil.example',
      '\r\nLocation: //evil.example',
      'javascript:alert(1)',
      'data:text/html,x',
      '/evil.example',
      '\\evil.example',
      '//evil.example',
      '@evil.example',
    ]) {
      const target = safeRedirect(start + rest, origin);
      expect(new URL(target, origin).origin).toBe(origin);
      expect(target.startsWith('//')).toBe(false);
    }
  }
});
