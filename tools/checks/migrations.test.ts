import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { migrationProblems, releasedProblems } from './migrations.ts';

test.each([
  'alter table payout drop column remark;',
  'alter table payout rename column remark to note;',
  'drop table payout_party;',
  'drop function enqueue_job;',
  'alter table payout alter column remark type varchar(10);',
  'alter table payout alter column remark set not null;',
  'alter table payout add column note text not null;',
  'alter table payout add constraint filled check (remark <> $q$$q$);',
  'create index by_remark on payout (remark);',
  'create unique index by_remark on payout (remark);',
  'create index concurrently by_remark on payout (remark);',
  '-- alone: it is big\ncreate index concurrently a on payout (b);\ncreate index concurrently b on payout (c);',
])('rejects a migration that would break the running version: %s', (text) => {
  expect(migrationProblems(text)).toHaveLength(1);
});

test.each([
  'alter table payout add column note text;',
  'alter table payout add column is_done boolean not null default false;',
  'create table note (id bigint primary key);\ncreate index by_id on note (id);',
  '-- alone: the table is big\ncreate index concurrently by_remark on payout (remark);',
  '-- locks: a dozen rows\ncreate index by_adapter on channel (adapter);',
  '-- contract: nothing has read it since version 0.2\nalter table payout drop column remark;',
  'alter table payout add constraint filled check (remark <> 1) not valid;',
  'create or replace function f() returns void language sql as $$ drop table x; $$;',
  '-- an earlier draft did drop column remark\nselect 1;',
])('accepts %s', (text) => {
  expect(migrationProblems(text)).toEqual([]);
});

test('a released migration stays as it was', () => {
  const text = 'create table a ();\n';
  const released = `${createHash('sha256').update(text).digest('hex')}  0001_a.sql\n`;
  expect(releasedProblems(released, new Map([['0001_a.sql', text]]))).toEqual([]);
  expect(releasedProblems(released, new Map([['0001_a.sql', `${text} `]]))).toEqual([
    expect.stringContaining('add a migration instead'),
  ]);
  expect(releasedProblems(released, new Map())).toEqual([expect.stringContaining('is gone')]);
  expect(releasedProblems('', new Map())).toEqual([expect.stringContaining('lists no migration')]);
});
