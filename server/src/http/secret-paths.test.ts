import type { EndpointShape } from '@hengfu/contract/endpoint';
import { describe, expect, it } from 'vitest';
import { everyEndpoint, everyStaffEndpoint } from '../testing/endpoints.ts';
import { isCallPath, maskedCallPath, SecretPaths } from './secret-paths.ts';

const secretPaths = new SecretPaths([
  { path: '/slip/:token', secretParams: ['token'] },
  { path: '/api/cashier/:token/pay', secretParams: ['token'] },
  { path: '/api/x/:merchant/:code', secretParams: ['code'] },
]);

describe('a URL in a log', () => {
  it.each([
    ['/slip/abc', '/slip/***'],
    ['/slip/abc?x=abc', '/slip/***'],
    ['/slip/a%20b~c/more', '/slip/***/more'],
    ['//slip//abc', '//slip//***'],
    ['/SLIP/abc', '/SLIP/***'],
    ['/%73lip/abc', '/%73lip/***'],
    ['/%53lip/abc', '/%53lip/***'],
    ['/slip%2Fabc', '/slip%2F***'],
    ['/redirect/slip/abc', '/redirect/slip/***'],
    ['http://h/slip/abc', 'http://h/slip/***'],
    ['/slip/abc#x', '/slip/***'],
    ['/api/cashier/abc/pay', '/api/cashier/***/pay'],
    ['/api/cashier/abc', '/api/cashier/***'],
    ['/api/x/acme/abc', '/api/x/acme/***'],
    ['/api/merchant/payouts/P1/slip', '/api/merchant/payouts/P1/slip'],
    ['/slip/./abc', '/slip/./***'],
    ['/slip/%2e%2E/abc', '/slip/%2e%2E/***'],
    ['/slip\\abc', '/slip\\***'],
    ['/slip%5cabc', '/slip%5c***'],
    ['/slip%2f%2Fabc', '/slip%2f%2F***'],
    ['/slip;x/abc', '/slip;x/***'],
    ['/SLIP%3bx=1/abc', '/SLIP%3bx=1/***'],
    ['/slip%20/abc', '/slip%20/***'],
    ['/%09slip%00/abc', '/%09slip%00/***'],
    ['/redirect/http%253A%252F%252Fh%252Fslip%252Fabc', '/redirect/http%3A%2F%2Fh%2Fslip%2F***'],
    ['/%25252573lip/abc', '/%73lip/***'],
    ['/slip/x/../abc', '/slip/***/../***'],
    ['/slip/x/%2e%2E%2fabc', '/slip/***/%2e%2E%2f***'],
    ['/slip/x/..;a/abc', '/slip/***/..;a/***'],
    ['/slip/..;a/abc', '/slip/..;a/***'],
    ['/slip/x/./y/..//../abc/more', '/slip/***/./y/..//../***/more'],
    ['/slip/x/../y/../abc', '/slip/***/../***/../***'],
    ['/a/../slip/abc/../../more', '/a/../slip/***/../../more'],
    ['/api/cashier/x/../abc/pay', '/api/cashier/***/../***/pay'],
    ['/api/x/../cashier/abc', '/api/x/../cashier/***'],
    ['/../../slip/abc', '/../../slip/***'],
    ['/slip', '/slip'],
    ['/slip/./', '/slip/./'],
    ['/slip/', '/slip/'],
    ['/api/x/acme', '/api/x/acme'],
    ['/%zz/abc', '/%zz/abc'],
  ])('%s becomes %s', (url, masked) => {
    expect(secretPaths.masked(url)).toBe(masked);
    expect(secretPaths.hasSecret(url)).toBe(masked.includes('***'));
  });
});

it('finds the secret at the end of a path of two hundred thousand characters', () => {
  const many = '/slip/x/..'.repeat(20_000);
  expect(secretPaths.masked(`${many}/slip/abc`)).not.toContain('abc');
});

it.each([
  '/openapi/v1/collections/sk_0a1b',
  '//openapi//v1/collections/sk_0a1b',
  '/%6Fpenapi/v1/collections/sk_0a1b',
  '/openapi%2fv1%2fsk_0a1b',
  'http://h/OPENAPI/v1/sk_0a1b',
])('masks the segments of a path that is meant to be one of the Open API: %s', (path) => {
  expect(isCallPath(path)).toBe(true);
  expect(maskedCallPath(path)).not.toContain('sk_0a1b');
});

it.each(['/', '/pay/abc', '/docs/openapi-versions', '/redirect/a%20b'])('knows other paths: %s', (path) => {
  expect(isCallPath(path)).toBe(false);
});

it('masks a secret whatever the order in which overlapping paths are known', () => {
  const paths = [
    { path: '/pay/:token', secretParams: ['token'] },
    { path: '/pay/link/:token', secretParams: ['token'] },
  ];
  for (const known of [paths, paths.toReversed()])
    for (const url of ['/pay/link/abc', '/pay/link/pay/link/abc', '//pay/link/abc/x'])
      expect(new SecretPaths(known).masked(url)).not.toContain('abc');
});

const secretName = /token|code|secret|password|invit|ticket|nonce|otp|sign/i;

it('every parameter of the contract with a secret-like name is declared secret', async () => {
  const endpoints = [...(await everyEndpoint()), ...(await everyStaffEndpoint())];
  const wrong = endpoints.filter(({ path, secretParams = [] }: EndpointShape) => {
    const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
    // Merchants and channels have short names.
    const isCode = (name: string) =>
      name === 'code' && /^\/api\/staff\/(merchants|channels)\/:code/.test(path);
    const isUndeclared = names.some(
      (name) => secretName.test(name) && !isCode(name) && !secretParams.includes(name),
    );
    return isUndeclared || secretParams.some((name) => !names.includes(name));
  });
  expect(wrong.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  expect(endpoints.filter(({ secretParams }) => secretParams).length).toBeGreaterThan(2);
});
