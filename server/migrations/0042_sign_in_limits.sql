-- Counts of sign-in tries end, and can be swept; accounts tried from one address are counted together.

-- A count means nothing any more from here on. Those that stand, and those that the version before this one still writes,
-- last for a day; it does not know of later failures, so a sweep looks at blocked_until, too.
alter table sign_in_throttle add column expires_at timestamptz not null default now() + interval '1 day';

-- Accounts that were tried in vain within an hour from one address, by a hash of it; of IPv6 from one /64, and one /48.
create table sign_in_address (
  key bytea primary key check (octet_length(key) = 32),
  -- Hashes of their emails, 16 bytes each, whether there is such an account or not.
  accounts bytea[] not null,
  window_started_at timestamptz not null,
  -- No further account is tried before then, once there are too many.
  blocked_until timestamptz,
  expires_at timestamptz not null
);
create index sign_in_address_expiry on sign_in_address (expires_at);
grant select, insert, update, delete on sign_in_address to hengfu_system;
