import { afterEach, expect, inject, it } from 'vitest';
import { asOwner } from '#db/owner.ts';
import { cloneDatabase, type TestDatabase } from '../testing/test-database.ts';
import { resetPartialDemo } from './prepare.ts';
import { markSeedFinished, markSeedStarted } from './seed-state.sql.ts';

let database: TestDatabase;
afterEach(() => database.drop());

const channels = () =>
  asOwner(database.ownerUrl, async (client) => {
    const { rows } = await client.query('select code from channel');
    return rows.length;
  });

async function seedPartially(): Promise<void> {
  database = await cloneDatabase(inject('ownerUrl'));
  await asOwner(database.ownerUrl, async (client) => {
    await markSeedStarted(client);
    await client.query("insert into channel (code, adapter, currency) values ('CN_BANK', 'sandbox', 'CNY')");
  });
}

it('partial demo data is replaced by an empty, migrated database', async () => {
  await seedPartially();
  await resetPartialDemo(database.ownerUrl, true);
  expect(await channels()).toBe(0);
});

it('complete demo data is left alone', async () => {
  await seedPartially();
  await asOwner(database.ownerUrl, markSeedFinished);
  await resetPartialDemo(database.ownerUrl, true);
  expect(await channels()).toBe(1);
});

it('a database that is not embedded is never emptied', async () => {
  await seedPartially();
  await expect(resetPartialDemo(database.ownerUrl, false)).rejects.toThrow('incomplete');
  expect(await channels()).toBe(1);
});
