import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import pino from 'pino';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { readConfig } from '#config.ts';
import { Database } from '#db/database.ts';
import { openPool } from '#db/pool.ts';
import { Secrets } from '#security/secrets.ts';
import { TestProduct } from '../testing/test-product.ts';
import { consoleHost } from './console-host.ts';
import { Guards } from './guards.ts';
import { createServer } from './server.ts';
import { SessionCookies } from './session-cookies.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hengfu-console-'));
  await writeFile(join(folder, 'index.html'), '<title>Built</title><!--boot-->');
  await writeFile(join(folder, 'cashier.html'), '<title>Built</title><!--boot-->');
  await writeFile(join(folder, 'preload.json'), '{"routes":{},"languages":{}}');
});
afterAll(() => rm(folder, { recursive: true }));

/** Serves the console's pages; `bootOf` returns a page's status and embedded user for a cookie. */
async function host(database: Database, title = 'Test') {
  const config = readConfig({ APP_KEY: '0'.repeat(64), LOG_LEVEL: 'silent' });
  const app = await createServer(config, pino({ level: 'silent' }));
  const secrets = new Secrets(Buffer.alloc(32));
  const cookies = new SessionCookies(secrets, false);
  const guards = new Guards(database, secrets, cookies);
  await consoleHost(app, guards, { folder, title, version: '0', demoSignIn: null, hasTestMode: true });
  const bootOf = async (cookie: string) => {
    const { statusCode, body } = await app.inject({ url: '/dashboard', headers: { cookie } });
    return [statusCode, JSON.parse(/<script[^>]*>(.*?)<\/script>/.exec(body)?.[1] ?? '').user];
  };
  return { app, cookies, bootOf };
}

it('serves its pages while the database is down, without claiming that the user is signed out', async () => {
  // Nothing listens on port 1.
  const pool = openPool('postgres://nobody@127.0.0.1:1/none', {
    max: 1,
    applicationName: 'test',
    onError: () => {},
  });
  const { app, cookies, bootOf } = await host(new Database(pool, { prepares: true }));
  expect(await bootOf('')).toEqual([200, null]);
  expect(await bootOf(`hengfu_session=${cookies.create()}`)).toEqual([200, undefined]);
  await app.close();
  await pool.end();
});

it('hides whose session it is until a merchant is chosen and the second factor is passed', async () => {
  const product = await TestProduct.start(inject('ownerUrl'));
  const { database } = product.services;
  const person = await product.person(await product.merchant('pages'));
  const { app, bootOf } = await host(database);
  const cookie = `hengfu_session=${person.cookies.get('hengfu_session')}`;
  expect(await bootOf(cookie)).toMatchObject([200, { roles: expect.anything() }]);
  await database.asSystem((tx) => sql`update session set is_chosen = false`.execute(tx.query));
  expect(await bootOf(cookie)).toEqual([200, null]);
  await database.asSystem((tx) => sql`update session set is_chosen = true`.execute(tx.query));
  await database.asSystem((tx) =>
    sql`update app_user set two_factor_secret = '', two_factor_confirmed_at = now()`.execute(tx.query),
  );
  expect(await bootOf(cookie)).toEqual([200, null]);
  await app.close();
  await product.close();
});

it('names the product in the HTML of its pages, as text', async () => {
  const pool = openPool('postgres://nobody@127.0.0.1:1/none', {
    max: 1,
    applicationName: 'test',
    onError: () => {},
  });
  const { app } = await host(new Database(pool, { prepares: true }), 'Pay & $& </title><b>');
  for (const url of ['/login', '/pay/abc', '/dashboard']) {
    const { body } = await app.inject({ url });
    expect(body).toContain('<title>Pay &amp; $&amp; &lt;/title&gt;&lt;b&gt;</title>');
    expect(body).not.toContain('Built');
  }
  await app.close();
  await pool.end();
});
