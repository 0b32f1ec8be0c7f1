import { expect, it } from 'vitest';
import { siteOf } from './passkey-site.ts';

it.each([
  ['https://pay.example', 'pay.example', 'https://pay.example'],
  ['https://pay.example:8443/console', 'pay.example', 'https://pay.example:8443'],
  ['http://127.0.0.1:8080', 'localhost', 'http://localhost:8080'],
  ['http://[::1]:8080', 'localhost', 'http://localhost:8080'],
  ['http://192.0.2.7', 'localhost', 'http://localhost'],
])('%s: passkeys belong to %s', (appUrl, id, origin) => {
  expect(siteOf(appUrl)).toEqual({ id, origin });
});
