-- needed by tables
-- Guards the lines of access keys from processes of the version before, which know of one line only: they end all keys when they make a new
-- one, and their new key may make every call. Such a process may replace the key of a merchant that has one line, and joins the new key to it.
-- A key may always be revoked: it may be the one that has leaked.
create or replace function guard_key_lines() returns trigger
  language plpgsql volatile
  as $$
declare
  began_at timestamptz;
begin
  if tg_op = 'UPDATE' then
    if new.ends_at is distinct from old.ends_at and exists (
        select from access_key o
        where o.merchant_id = new.merchant_id and o.key_id <> new.key_id and o.successor is null
          and o.revoked_at is null and (o.ends_at is null or o.ends_at > now())
          and coalesce(o.line_began_at, o.created_at) <> coalesce(old.line_began_at, old.created_at)) then
      raise exception 'the version before cannot replace key %, which has others beside it', new.key_id
        using errcode = 'check_violation', constraint = 'access_key_lines', table = 'access_key';
    end if;
    return new;
  end if;
  -- Keys that this transaction has ended count: the new one replaces them.
  if tg_when = 'BEFORE' then
    if exists (
        select from access_key o
        where o.merchant_id = new.merchant_id and (cardinality(o.scopes) < 5 or o.allowed_addresses is not null)
          and (o.xmin = pg_current_xact_id()::xid or (o.revoked_at is null and (o.ends_at is null or o.ends_at > now())))) then
      raise exception 'the version before cannot limit key %, as others of the merchant are', new.key_id
        using errcode = 'check_violation', constraint = 'access_key_lines', table = 'access_key';
    end if;
    return new;
  end if;
  with replaced as (
    update access_key o set successor = new.key_id
    where o.merchant_id = new.merchant_id and o.key_id <> new.key_id and o.successor is null and o.ends_at is not null
      and o.xmin = pg_current_xact_id()::xid
    returning coalesce(o.line_began_at, o.created_at) as at
  )
  select min(at) into began_at from replaced;
  if began_at is not null then
    update access_key set line_began_at = began_at where merchant_id = new.merchant_id and key_id = new.key_id;
  end if;
  return null;
end $$;
