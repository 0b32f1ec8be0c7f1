-- A payment that was given back as a whole before its settlement is never settled, whichever process tries: the version before does not
-- know the mark. Its settlement then fails and is made by this version.
-- locks: a constraint that is not checked yet, and a column without a default, change no row.
alter table collection add constraint collection_settles_or_not
  check (not never_settles or settlement_id is null) not valid;

-- The payer's group of addresses, hashed with the link: orders to be paid are counted by it. Null for those of the version before.
alter table payment_link_order add column payer bytea;
