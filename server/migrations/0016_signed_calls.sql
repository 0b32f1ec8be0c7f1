-- From where a merchant's programs called, by UTC day: what a new whitelist would have done is told from it.
create table signed_call_count (
  merchant_id bigint not null references merchant,
  day date not null,
  address inet not null,
  calls bigint not null,
  primary key (merchant_id, day, address)
);
call protect_tenant_table('signed_call_count');
grant select on signed_call_count to hengfu_app;
grant select, insert, update, delete on signed_call_count to hengfu_system;
