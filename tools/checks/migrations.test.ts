import { expect, test } from 'vitest';
import { faultsOf } from './migrations.ts';

test.each([
  'alter table payout drop column remark;',
  'alter table payout rename column remark to note;',
  'drop table payout_party;',
  'drop function enqueue_job;',
  'alter table payout alter column remark type varchar(10);',
  'alter table payout alter column remark set not null;',
  'alter table payout add column told text not null;',
  'alter table payout add constraint told check (remark <> $q$$q$);',
  'create index told on payout (remark);',
  'create unique index told on payout (remark);',
  'create index concurrently told on payout (remark);',
  '-- alone: it is big\ncreate index concurrently a on payout (b);\ncreate index concurrently b on payout (c);',
])('the running version would not survive: %s', (text) => {
  expect(faultsOf(text)).toHaveLength(1);
});

test.each([
  'alter table payout add column told text;',
  'alter table payout add column told boolean not null default false;',
  'create table told (id bigint primary key);\ncreate index told_by on told (id);',
  '-- alone: the table is big\ncreate index concurrently told on payout (remark);',
  '-- locks: a dozen rows\ncreate index told on channel (adapter);',
  '-- contract: nothing has read it since version 0.2\nalter table payout drop column remark;',
  'alter table payout add constraint told check (remark <> 1) not valid;',
  'create or replace function f() returns void language sql as $$ drop table x; $$;',
  '-- once upon a time this did drop column remark\nselect 1;',
])('it survives: %s', (text) => {
  expect(faultsOf(text)).toEqual([]);
});
