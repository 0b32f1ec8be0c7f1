import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { type Distribution, distributionOf } from '../testing/distribution.ts';
import { cloneDatabase } from '../testing/test-database.ts';
import { asOwner } from './owner.ts';

interface Table {
  name: string;
  hasMerchant: boolean;
  /** Columns of each primary and unique key. */
  uniqueKeys: string[][];
  foreignKeys: {
    target: string;
    columns: string[];
    targetColumns: string[];
    onDelete: string;
    onUpdate: string;
  }[];
  triggers: string[];
  /** Types of the identity columns. */
  identities: string[];
  exclusions: string[];
}

const script = join(import.meta.dirname, '../../../deploy/citus/distribute.sql');

/** Reads the tables of the schema. Partitions are part of their table. */
const readTables = `
  select c.relname as name,
    exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'merchant_id') as "hasMerchant",
    (select coalesce(json_agg((select json_agg(a.attname order by place)
        from unnest(i.indkey::smallint[]) with ordinality as k (n, place)
        join pg_attribute a on a.attrelid = c.oid and a.attnum = k.n)), '[]')
      from pg_index i where i.indrelid = c.oid and i.indisunique) as "uniqueKeys",
    (select coalesce(json_agg(json_build_object('target', f.confrelid::regclass::text,
        'columns', array(select a.attname from unnest(f.conkey) with ordinality as k (n, place)
          join pg_attribute a on a.attrelid = f.conrelid and a.attnum = k.n order by place),
        'targetColumns', array(select a.attname from unnest(f.confkey) with ordinality as k (n, place)
          join pg_attribute a on a.attrelid = f.confrelid and a.attnum = k.n order by place),
        'onDelete', f.confdeltype, 'onUpdate', f.confupdtype)), '[]')
      from pg_constraint f where f.conrelid = c.oid and f.contype = 'f' and f.conparentid = 0) as "foreignKeys",
    array(select t.tgname::text from pg_trigger t where t.tgrelid = c.oid and not t.tgisinternal order by 1) as triggers,
    array(select format_type(a.atttypid, null) from pg_attribute a where a.attrelid = c.oid and a.attidentity <> '') as identities,
    array(select x.conname::text from pg_constraint x where x.conrelid = c.oid and x.contype = 'x') as exclusions
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and c.relname not in ('schema_migration', 'schema_function', 'schema_function_superseded')
  order by 1`;

let tables: Table[];
let kindOf: Map<string, Distribution>;

beforeAll(async () => {
  const database = await cloneDatabase(inject('ownerUrl'));
  tables = await asOwner(database.ownerUrl, async (client) => (await client.query<Table>(readTables)).rows);
  await database.drop();
  kindOf = distributionOf(
    tables.map(({ name, hasMerchant, foreignKeys }) => ({
      name,
      hasMerchant,
      references: foreignKeys.map(({ target }) => target),
    })),
  );
});

const distributed = () => tables.filter(({ name }) => kindOf.get(name) === 'distributed');
const kind = (name: string) => kindOf.get(name) ?? 'local';

// The rules: docs.citusdata.com, "Creating and modifying distributed tables" and "Triggers on distributed tables".
describe('the schema under Citus', () => {
  it('distributes every table of a merchant’s orders and money', () => {
    expect(distributed().length).toBeGreaterThan(25);
    for (const name of [
      'collection',
      'payout',
      'ledger_account',
      'ledger_entry',
      'ledger_transfer',
      'audit',
      'used_nonce',
    ])
      expect([name, kind(name)]).toEqual([name, 'distributed']);
    for (const name of ['merchant', 'channel', 'membership'])
      expect([name, kind(name)]).toEqual([name, 'reference']);
  });

  it('has the merchant first in every primary and unique key of a distributed table', () => {
    const keys = distributed().flatMap(({ name, uniqueKeys }) => uniqueKeys.map((key) => [name, ...key]));
    expect(keys.length).toBeGreaterThan(30);
    expect(keys.filter(([, first]) => first !== 'merchant_id')).toEqual([]);
  });

  it('has no exclusion constraint on a distributed table', () => {
    expect(distributed().filter(({ exclusions }) => exclusions.length > 0)).toEqual([]);
  });

  it('references from a distributed table only reference tables, or the same merchant’s rows', () => {
    const links = distributed().flatMap(({ name, foreignKeys }) =>
      foreignKeys.map((link) => ({ name, ...link })),
    );
    expect(links.length).toBeGreaterThan(30);
    const wrong = links.filter(({ target, columns, targetColumns }) =>
      kind(target) === 'distributed'
        ? columns[0] !== 'merchant_id' || targetColumns[0] !== 'merchant_id'
        : kind(target) !== 'reference',
    );
    expect(wrong).toEqual([]);
  });

  it('never references a distributed table from another one, nor cascades between a reference table and a local one', () => {
    const links = tables
      .filter(({ name }) => kind(name) !== 'distributed')
      .flatMap(({ name, foreignKeys }) => foreignKeys.map((link) => ({ name, ...link })));
    expect(links.length).toBeGreaterThan(10);
    const wrong = links.filter(
      ({ name, target, onDelete, onUpdate }) =>
        kind(target) === 'distributed' ||
        (kind(name) !== kind(target) && [onDelete, onUpdate].some((action) => 'cnd'.includes(action))),
    );
    expect(wrong).toEqual([]);
  });

  it('has identity columns of the type bigint only', () => {
    const identities = tables.flatMap(({ name, identities }) => identities.map((type) => [name, type]));
    expect(identities.length).toBeGreaterThan(10);
    expect(identities.filter(([, type]) => type !== 'bigint')).toEqual([]);
  });

  it('has triggers only where they touch the same merchant’s rows, and none on reference tables', async () => {
    const all = tables.flatMap(({ name, triggers }) => triggers.map((trigger) => `${name} ${trigger}`));
    // Those of test mode reach over to another merchant. The script drops them, and so there is no test mode.
    const dropped = [...(await readFile(script, 'utf8')).matchAll(/^drop trigger (\w+) on (\w+);/gm)].map(
      ([, trigger, table]) => `${table} ${trigger}`,
    );
    expect(dropped.sort()).toEqual([
      'approval_rule twin_follows',
      'membership like_live',
      'membership twin_follows',
      'merchant twin_follows',
      'merchant_terms twin_follows',
      'own_role twin_follows',
      'past_settlement_cycle twin_follows',
    ]);
    const triggers = all.filter((trigger) => !dropped.includes(trigger));
    expect(triggers).toEqual([
      'access_event append_only',
      'access_key key_lines',
      'access_key key_lines_joined',
      'access_key key_of_mode',
      'approval_decision append_only',
      'approval_exclusion append_only',
      'archived_entry_sum append_only',
      'archived_split_transfer append_only',
      'audit append_only',
      'audit_root append_only',
      'audit_seal append_only',
      'callback_message keep_from_old_process',
      'collection count_link_use',
      'collection follow_old_refund',
      'collection hold_unapproved',
      'collection roll_up_changed',
      'collection roll_up_new',
      'collection serve_mode',
      'collection_event append_only',
      'ledger_entry append_only',
      'ledger_transfer append_only',
      'merchant_note append_only',
      'past_settlement_cycle append_only',
      'payout hold_unsent',
      'payout note_parties',
      'payout roll_up_changed',
      'payout roll_up_new',
      'payout_event append_only',
      'refund hold_unapproved',
      'refund roll_up_changed',
      'refund roll_up_new',
      'refund serve_mode',
      'staff_alert append_only',
      'staff_alert_refused append_only',
      'staff_alone append_only',
      'staff_evidence kept',
      'staff_look append_only',
      'staff_request decided_once',
      'topup no_real_money',
      'withdrawal hold_unapproved',
      'withdrawal no_real_money',
    ]);
    expect(triggers.filter((trigger) => kind(trigger.split(' ')[0] ?? '') !== 'distributed')).toEqual([
      'audit_root append_only',
      'staff_alert append_only',
      'staff_alert_refused append_only',
      'staff_alone append_only',
      'staff_evidence kept',
      'staff_look append_only',
      'staff_request decided_once',
    ]);
    for (const name of ['audit_root', 'staff_alert', 'staff_alone', 'staff_code_handover', 'staff_request'])
      expect(kind(name)).toBe('local');
  });

  it('is distributed by deploy/citus/distribute.sql exactly so', async () => {
    const text = await readFile(script, 'utf8');
    const stated = new Map<string, Distribution>();
    for (const [, how, name = ''] of text.matchAll(/create_(reference|distributed)_table\('(\w+)'/g))
      stated.set(name, how === 'reference' ? 'reference' : 'distributed');
    const derived = [...kindOf].filter(([, where]) => where !== 'local');
    expect([...stated].sort()).toEqual(derived.sort());
    // A table is distributed after those that it references.
    const places = new Map([...stated.keys()].map((name, place) => [name, place]));
    for (const { name, foreignKeys } of tables)
      for (const { target } of foreignKeys)
        if (stated.has(name) && stated.has(target) && target !== name)
          expect([name, target, (places.get(target) ?? 0) < (places.get(name) ?? 0)]).toEqual([
            name,
            target,
            true,
          ]);
  });
});
