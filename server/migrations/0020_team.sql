-- The team of a merchant: invitations by email, members who were removed, and sessions that an invitation opened.
-- locks: columns without a volatile default change no row; a check reads the few memberships.

-- An invitation is open until it is accepted or revoked. Its link holds the merchant and a random secret, of which only a hash
-- is stored.
create table invitation (
  merchant_id bigint not null references merchant,
  id bigint generated always as identity,
  token_hash bytea not null check (octet_length(token_hash) = 32),
  email text not null check (email = lower(email)),
  roles text[] not null check (cardinality(roles) > 0),
  -- The person who sent it; null if an operator did.
  invited_by bigint,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  accepted_at timestamptz,
  -- The person who joined.
  accepted_by bigint,
  revoked_at timestamptz,
  primary key (merchant_id, id),
  unique (merchant_id, token_hash),
  foreign key (merchant_id, invited_by) references membership,
  foreign key (merchant_id, accepted_by) references membership,
  constraint invitation_state check (
    (accepted_at is null) = (accepted_by is null) and (accepted_at is null or revoked_at is null))
);
-- One open invitation for each email.
create unique index invitation_open on invitation (merchant_id, email) where accepted_at is null and revoked_at is null;
call protect_tenant_table('invitation');
grant select, insert, update on invitation to hengfu_system;

-- A removed member stays in the records, as a suspended one whom the team no longer lists.
alter table membership add column removed_at timestamptz;
alter table membership add constraint membership_removed check (removed_at is null or disabled_at is not null) not valid;
alter table membership validate constraint membership_removed;

-- Its first second factor needs no enrollment code: the invitation has proved who holds the session.
alter table session add column is_invited boolean not null default false;
