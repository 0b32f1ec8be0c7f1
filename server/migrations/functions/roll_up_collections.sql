-- needed by tables
-- Counts new collections in the rollup, and moves changed ones to their new rows.
create or replace function roll_up_collections() returns trigger
  language plpgsql volatile
  as $$
begin
  if tg_op = 'INSERT' then
    -- Every create inserts one unpaid order, which takes a shorter way: nothing to group, no day that may be closed, and no
    -- lock, because its transaction writes one row of the rollup. An aggregate that counts the orders would cost a fifth of
    -- the trigger.
    insert into order_rollup as r
    select keys.merchant_id, kind, axis, keys.currency, bucket, keys.channel, keys.status, keys.settlement_status,
      rollup_stripe(), orders, keys.amount_minor, keys.fee_minor
    from after o
    cross join lateral order_rollup_keys(o.merchant_id, 'collection', o.currency, o.created_at, o.paid_at,
      o.channel, o.status, o.settlement_status, o.amount_minor, o.fee_minor) keys
    where not exists (select from after offset 1) and o.paid_at is null and o.created_at >= now() - interval '1 day'
    on conflict on constraint order_rollup_pkey do update set
      orders = r.orders + excluded.orders,
      amount_minor = r.amount_minor + excluded.amount_minor,
      fee_minor = r.fee_minor + excluded.fee_minor;
    if not found then
      perform add_to_rollup(array(
        select keys from after o
        cross join lateral order_rollup_keys(o.merchant_id, 'collection', o.currency, o.created_at, o.paid_at,
          o.channel, o.status, o.settlement_status, o.amount_minor, o.fee_minor) keys));
    end if;
  else
    -- Summed here: a settlement changes a hundred thousand orders at once, in a few hundred rows of the rollup.
    perform add_to_rollup(array(
      select row(keys.merchant_id, kind, axis, keys.currency, bucket, keys.channel, keys.status, keys.settlement_status,
        sum(sign * orders), sum(sign * keys.amount_minor), sum(sign * keys.fee_minor))::order_rollup_change
      from (select -1 as sign, * from before union all select 1, * from after) o
      cross join lateral order_rollup_keys(o.merchant_id, 'collection', o.currency, o.created_at, o.paid_at,
        o.channel, o.status, o.settlement_status, o.amount_minor, o.fee_minor) keys
      group by keys.merchant_id, kind, axis, keys.currency, bucket, keys.channel, keys.status, keys.settlement_status
      having (sum(sign * orders), sum(sign * keys.amount_minor), sum(sign * keys.fee_minor)) <> (0, 0, 0)));
  end if;
  return null;
end $$;
