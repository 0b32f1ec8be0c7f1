-- A key may be turned off, and an old one goes on for a while beside its successor.
alter table access_key
  add note text,
  -- Where callbacks of orders go that name no address of their own.
  add callback_url text,
  add disabled_at timestamptz,
  add ends_at timestamptz;
