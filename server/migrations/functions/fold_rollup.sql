-- Folds the stripes of a merchant's buckets into one, and drops rows without orders: a busy merchant's buckets have ten
-- times as many rows while they change. Only buckets that ended an hour ago and that no sum of a closed day includes yet.
-- Returns how many rows were folded: none if a stripe is held for long, such as by a settlement. Otherwise every order of the
-- merchant would wait as well, for the stripes that are taken first.
create or replace function fold_rollup(merchant bigint) returns integer
  language plpgsql volatile
  set lock_timeout = '500ms'
  as $$
declare
  since timestamptz := now() - interval '1 day';
  until timestamptz := now() - interval '75 minutes';
  folded integer;
begin
  if not exists (
    select from order_rollup
    where merchant_id = merchant and kind in ('collection', 'payout') and axis in ('created', 'paid')
      and currency = (select home_currency from merchant m where m.id = merchant)
      and bucket >= since and bucket < until and stripe > 0) then
    return 0;
  end if;
  -- Every stripe, in order: nobody moves an order meanwhile.
  begin
    perform pg_advisory_xact_lock(hashtextextended(format('rollup %s %s', merchant, stripe), 0))
      from generate_series(0, 7) stripe;
  exception when lock_not_available then
    -- Gives back those that it has taken.
    return 0;
  end;
  with gone as (
    delete from order_rollup where merchant_id = merchant and bucket >= since and bucket < until returning *
  ), kept as (
    insert into order_rollup
    select merchant_id, kind, axis, currency, bucket, channel, status, settlement_status, 0, sum(orders), sum(amount_minor),
      sum(fee_minor)
    from gone group by 1, 2, 3, 4, 5, 6, 7, 8
    having sum(orders) <> 0 or sum(amount_minor) <> 0 or sum(fee_minor) <> 0
    returning 1
  )
  select (select count(*) from gone) - (select count(*) from kept) into folded;
  return folded;
end $$;
