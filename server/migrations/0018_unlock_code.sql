-- Codes by which the service's staff lets the owner of a locked account in; by hash, each good once and for a while.
create table unlock_code (
  user_id bigint primary key references app_user,
  merchant_id bigint not null references merchant,
  code_hash bytea not null,
  expires_at timestamptz not null
);
call protect_tenant_table('unlock_code');
grant select, insert, update, delete on unlock_code to hengfu_system;
-- What the staff did to a person is told to that person, too.
create index audit_subject on audit (merchant_id, subject, at desc) where subject is not null;
