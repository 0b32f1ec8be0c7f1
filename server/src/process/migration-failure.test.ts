import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, inject, it } from 'vitest';
import { asOwner } from '#db/owner.ts';
import { operatorMain, productCommand } from '../testing/product-process.ts';
import { cloneDatabase, testKey } from '../testing/test-database.ts';

it.each([
  ['the product', productCommand],
  ['an operator command', [operatorMain, 'channel', 'list']],
])('%s ends with a sentence that says why a migration failed', async (_program, command) => {
  const database = await cloneDatabase(inject('ownerUrl'));
  try {
    const { rows } = await asOwner(database.ownerUrl, (client) =>
      client.query<{ name: string }>(
        `delete from schema_migration where name = (select max(name) from schema_migration where name like '0001%')
         returning name`,
      ),
    );
    const env = { ...process.env, DATABASE_URL: database.ownerUrl, APP_KEY: testKey };
    const ended = promisify(execFile)(process.execPath, command, { env });
    await expect(ended).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        new RegExp(`^Migration ${rows[0]?.name} failed: .+ already exists \\(SQLSTATE 42\\w{3}\\)\\n$`),
      ),
    });
  } finally {
    await database.drop();
  }
});
