-- Passwords that were tried with an unlock code, which goes past the locks: after a few the code is worth nothing. A version
-- before this one does not count.
alter table unlock_code add column tries integer not null default 0;
