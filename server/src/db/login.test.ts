import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { expect, inject, it } from 'vitest';
import { ensureLogin, urlAs } from './login.ts';
import { asOwner } from './owner.ts';

it('creates the server’s role once, even if many servers start at the same moment', async () => {
  const ownerUrl = inject('ownerUrl');
  // In two databases, which do not share locks, whereas roles belong to the cluster.
  const maintenance = new URL(ownerUrl);
  maintenance.pathname = '/postgres';
  const appKey = randomBytes(32);
  const urls = Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? ownerUrl : maintenance.href));
  const logins = await Promise.all(urls.map((url) => ensureLogin(url, appKey)));
  const [login] = logins;
  if (!login) throw new Error('no login');
  expect(logins).toEqual(Array(12).fill(login));
  const client = new pg.Client({ connectionString: urlAs(ownerUrl, login) });
  await client.connect();
  await client.end();
  await asOwner(ownerUrl, (owner) => owner.query(`drop role ${login.name}`));
});
