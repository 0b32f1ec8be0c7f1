import { expect, it } from 'vitest';
import { DatabaseUrlError, parseDatabaseUrl, readableUrl, withLogin } from './database-url.ts';

it('lists one URL per host, with the ports and parameters of each', () => {
  const url =
    'postgres://user:p%40ss@one:6432,two,[::1]:5433/shop?sslmode=verify-full&target_session_attrs=read-write';
  expect(parseDatabaseUrl(url)).toEqual({
    hosts: [
      'postgres://user:p%40ss@one:6432/shop?sslmode=verify-full',
      'postgres://user:p%40ss@two/shop?sslmode=verify-full',
      'postgres://user:p%40ss@[::1]:5433/shop?sslmode=verify-full',
    ],
    needsWrites: true,
  });
});

it.each([
  'postgres://user:password@one/shop',
  'postgresql://one',
  'postgres://user@%2Fvar%2Frun%2Fpostgresql/shop',
  'postgres://user@localhost/shop?host=/var/run/postgresql',
])('leaves %s as it is', (url) => {
  expect(parseDatabaseUrl(url)).toEqual({ hosts: [url], needsWrites: true });
});

it.each([
  ['mysql://one/shop', 'must begin with postgres://'],
  ['one:5432', 'must begin with postgres://'],
  ['postgres://u:secret@one,,two/shop', 'names an empty host'],
  ['postgres://u:secret@one,/shop', 'names an empty host'],
  ['postgres://u:secret@one:5432:1,two/shop', 'number 1 of 2'],
  ['postgres://u:secret@one:70000,two/shop', 'number 1 of 2'],
  ['postgres://u:secret@one:0,two/shop', 'number 1 of 2'],
  ['postgres://u:secret@one, two/shop', 'number 2 of 2'],
  ['postgres://owner:secret,7/abc@one/shop', 'must be escaped'],
  ['postgres://owner:secret#7,abc@one,two/shop', 'must be escaped'],
  ['postgres://owner:secret,7/abc%40one/shop', 'number 1 of 2'],
  ['postgres://u:secret@one:port/shop', 'is not a URL'],
  ['postgres://u:secret@one/shop?host=a,b', 'names several hosts as a parameter'],
  ['postgres://u:secret@one,two/shop?target_session_attrs=standby', 'target_session_attrs'],
])('refuses %s without showing its password', (url, message) => {
  const parse = () => parseDatabaseUrl(url);
  expect(parse).toThrow(DatabaseUrlError);
  expect(parse).toThrow(message);
  expect(parse).not.toThrow('secret');
});

it('replaces name and password for all hosts', () => {
  expect(withLogin('postgres://a:b@one,two:1/shop?x=y', 'c', 'd')).toBe('postgres://c:d@one,two:1/shop?x=y');
  expect(withLogin('postgres://one/shop', 'c', 'd')).toBe('postgres://c:d@one/shop');
});

it('marks the URL of a replica', () => {
  const url = readableUrl('postgres://a:b@one/shop?sslmode=require');
  expect(parseDatabaseUrl(url)).toEqual({
    hosts: ['postgres://a:b@one/shop?sslmode=require'],
    needsWrites: false,
  });
});
