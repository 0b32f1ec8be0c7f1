import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Tx } from '#db/database.ts';
import { asOwner } from '#db/owner.ts';
import { root } from '#folders.ts';
import { type TestMerchant, TestProduct } from '../../testing/test-product.ts';

let product: TestProduct;
let merchants = 0;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
});
afterAll(() => product.close());

interface StoredKey {
  key_id: string;
  successor: string | null;
  line_began_at: Date | null;
  created_at: Date;
  scopes: string[];
}

const newMerchant = () => product.merchant(`lines${++merchants}`);
const run = (statement: RawBuilder<unknown>) =>
  product.services.database.asSystem((tx) => statement.execute(tx.query));
const keysOf = async ({ id }: TestMerchant): Promise<StoredKey[]> =>
  (await run(sql`select * from access_key where merchant_id = ${id} order by created_at, key_id`))
    .rows as StoredKey[];

/** Inserts a key as the version before does. */
const insertAsBefore = (tx: Tx, { id }: TestMerchant, keyId: string) =>
  sql`
    with claim as (insert into access_key_directory (key_id, merchant_id) values (${keyId}, ${id}))
    insert into access_key (key_id, merchant_id, secret_encrypted, note, callback_url, created_by)
    values (${keyId}, ${id}, '', null, null, null)`.execute(tx.query);

/** Replaces the keys of a merchant as the version before does. */
const regenerateAsBefore = (merchant: TestMerchant, keyId: string, hours: number) =>
  product.services.database.asSystem(async (tx) => {
    await sql`select from merchant where id = ${merchant.id} for update`.execute(tx.query);
    await sql`
      update access_key set
        ends_at = least(ends_at, now() + ${hours}::integer * interval '1 hour'),
        revoked_at = case when ${hours}::integer = 0 then now() end
      where merchant_id = ${merchant.id} and revoked_at is null and (ends_at is null or ends_at > now())`.execute(
      tx.query,
    );
    await insertAsBefore(tx, merchant, keyId);
  });

describe('a process of the version before', () => {
  it.each([0, 24])('replaces the only key, whose line goes on (%i hours)', async (hours) => {
    const merchant = await newMerchant();
    const second = `ak_${merchant.code}_second`;
    await regenerateAsBefore(merchant, second, hours);
    const third = `ak_${merchant.code}_third`;
    await regenerateAsBefore(merchant, third, hours);
    const keys = await keysOf(merchant);
    const began = keys[0]?.created_at;
    expect(keys).toMatchObject([
      { successor: second, line_began_at: null },
      { key_id: second, successor: third, line_began_at: began },
      { key_id: third, successor: null, line_began_at: began },
    ]);
  });

  it.each([0, 24])('does not end the keys of several lines (%i hours)', async (hours) => {
    const merchant = await newMerchant();
    await product.admin().addAccessKey(merchant.id, `ak_${merchant.code}_other`, 'sk_other');
    const before = await keysOf(merchant);
    await expect(regenerateAsBefore(merchant, `ak_${merchant.code}_new`, hours)).rejects.toThrow(
      'others beside it',
    );
    expect(await keysOf(merchant)).toEqual(before);
  });

  it.each([0, 24])('makes no key that may do more than the one before (%i hours)', async (hours) => {
    const merchant = await newMerchant();
    const [key] = await keysOf(merchant);
    await run(sql`update access_key set scopes = '{read}' where key_id = ${key?.key_id}`);
    await expect(regenerateAsBefore(merchant, `ak_${merchant.code}_new`, hours)).rejects.toThrow(
      'cannot limit key',
    );
    expect(await keysOf(merchant)).toMatchObject([{ scopes: ['read'], successor: null }]);
  });

  it('revokes any key: it may be the one that has leaked', async () => {
    const merchant = await newMerchant();
    const endsAt = new Date(Date.now() + 86_400_000);
    await product.admin().addAccessKey(merchant.id, `ak_${merchant.code}_other`, 'sk_other', { endsAt });
    const { rows } = await run(
      sql`update access_key set revoked_at = now() where merchant_id = ${merchant.id} returning key_id`,
    );
    expect(rows).toHaveLength(2);
  });
});

it('keys that were replaced before there were lines form one, which began with the first of them', async () => {
  const merchant = await newMerchant();
  for (const name of ['b', 'c', 'd']) await regenerateAsBefore(merchant, `ak_${merchant.code}_${name}`, 24);
  await run(
    sql`update access_key set successor = null, line_began_at = null where merchant_id = ${merchant.id}`,
  );
  const text = await readFile(join(root, 'server/migrations/0087_several_keys.sql'), 'utf8');
  const fill = text.slice(text.indexOf('do $$'));
  await asOwner(product.ownerUrl, (client) => client.query(`begin; ${fill}; commit`));
  const keys = await keysOf(merchant);
  const began = keys[0]?.created_at;
  expect(keys.map((key) => [key.successor, key.line_began_at])).toEqual([
    [keys[1]?.key_id, null],
    [keys[2]?.key_id, began],
    [keys[3]?.key_id, began],
    [null, began],
  ]);
});
