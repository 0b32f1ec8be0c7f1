-- How often the links to a payout's slip have been revoked. A link carries the number under which it was made and works
-- only under that one: a revocation ends all links of a payout, and making one writes nothing here.
create table payout_slip_revocation (
  merchant_id bigint not null references merchant,
  payout_id bigint not null,
  times integer not null check (times > 0),
  revoked_at timestamptz not null default now(),
  primary key (merchant_id, payout_id),
  foreign key (merchant_id, payout_id) references payout (merchant_id, id)
);
call protect_tenant_table('payout_slip_revocation');
grant select, insert, update on payout_slip_revocation to hengfu_app, hengfu_system;
