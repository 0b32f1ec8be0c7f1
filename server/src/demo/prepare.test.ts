import { afterEach, expect, inject, it } from 'vitest';
import { asOwner } from '#db/owner.ts';
import { cloneDatabase, type TestDatabase } from '../testing/test-database.ts';
import { startOverHalfDemo } from './prepare.ts';
import { noteSeedBegun, noteSeedFinished } from './seed-state.sql.ts';

let database: TestDatabase;
afterEach(() => database.drop());

const channels = () =>
  asOwner(database.ownerUrl, async (client) => {
    const { rows } = await client.query('select code from channel');
    return rows.length;
  });

async function cutShort(): Promise<void> {
  database = await cloneDatabase(inject('ownerUrl'));
  await asOwner(database.ownerUrl, async (client) => {
    await noteSeedBegun(client);
    await client.query("insert into channel (code, adapter, currency) values ('CN_BANK', 'sandbox', 'CNY')");
  });
}

it('demo data that was cut short is written anew: the start finds an empty, migrated database', async () => {
  await cutShort();
  await startOverHalfDemo(database.ownerUrl, true);
  expect(await channels()).toBe(0);
});

it('demo data that is whole is left alone', async () => {
  await cutShort();
  await asOwner(database.ownerUrl, noteSeedFinished);
  await startOverHalfDemo(database.ownerUrl, true);
  expect(await channels()).toBe(1);
});

it('somebody’s own database is never emptied', async () => {
  await cutShort();
  await expect(startOverHalfDemo(database.ownerUrl, false)).rejects.toThrow('cut short');
  expect(await channels()).toBe(1);
});
