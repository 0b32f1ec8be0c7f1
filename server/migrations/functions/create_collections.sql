-- Creates the orders of the transaction's merchants, each with its first event, in one statement, and returns them. An order is
-- missing from the result if its merchant has used the number before, is suspended, has a lower limit, or may not collect through
-- the channel now. No two orders of a merchant may have the same number. Locks are taken in the order that all writers follow:
-- orders by merchant and number, then rollup stripes by merchant.
-- Uses a generic plan, because planning takes several times as long as executing.
create or replace function create_collections(orders json) returns setof collection
  language plpgsql volatile security definer set search_path = public, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_seqscan = off
  as $$
begin
  return query with asked as materialized (
    select o.* from json_to_recordset(orders) as o (merchant_id bigint, out_trade_no text, request_hash bytea, currency text,
      amount_minor bigint, channel text, subject text, notify_url text, return_url text, cashier_token text, expiry_seconds integer,
      payment_link_id bigint)
    where exists (select from merchant m where m.id = o.merchant_id and m.suspended_at is null
        and (m.collection_limit_minor is null or o.amount_minor <= m.collection_limit_minor))
      and (o.channel is null or exists (
        select from channel c join merchant_terms t on t.channel = c.code
        where c.code = o.channel and c.currency = o.currency and c.collection_open and (c.is_live or is_test_merchant(o.merchant_id))
          and t.merchant_id = o.merchant_id and t.valid_from <= now()))
    order by o.merchant_id, o.out_trade_no
  ), created as (
    insert into collection (merchant_id, trade_no, out_trade_no, request_hash, currency, amount_minor, channel, subject,
      notify_url, return_url, cashier_token, created_at, expires_at, payment_link_id)
    select merchant_id, new_trade_no('C', merchant_id, now()), out_trade_no, request_hash, currency, amount_minor, channel,
      subject, notify_url, return_url, merchant_lane(merchant_id) || cashier_token, now(),
      now() + expiry_seconds * interval '1 second', payment_link_id
    from asked
    on conflict (merchant_id, out_trade_no) do nothing
    returning *
  ), event as (
    insert into collection_event (merchant_id, collection_id, at, status, reason)
    select merchant_id, id, created_at, status, 'created' from created
  )
  select * from created;
end $$;
call give_function('create_collections', 'hengfu_intake');
revoke execute on function create_collections from public;
grant execute on function create_collections to hengfu_app;
