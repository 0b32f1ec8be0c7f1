-- needed by tables
-- Counts refunds in the rollup once they have succeeded, by the time of their success.
create or replace function roll_up_refunds() returns trigger
  language plpgsql volatile
  as $$
begin
  if tg_op = 'INSERT' then
    perform add_to_rollup(array(
      select row(r.merchant_id, 'refund', 'paid', r.currency, rollup_bucket(r.ended_at), r.channel, r.status, '',
        count(*), sum(r.amount_minor), sum(r.fee_minor))::order_rollup_change
      from after r where r.status = 'refunded'
      group by r.merchant_id, r.currency, rollup_bucket(r.ended_at), r.channel, r.status
      having count(*) > 0));
  else
    perform add_to_rollup(array(
      select row(r.merchant_id, 'refund', 'paid', r.currency, rollup_bucket(r.ended_at), r.channel, r.status, '',
        sum(sign), sum(sign * r.amount_minor), sum(sign * r.fee_minor))::order_rollup_change
      from (select -1 as sign, * from before union all select 1, * from after) r where r.status = 'refunded'
      group by r.merchant_id, r.currency, rollup_bucket(r.ended_at), r.channel, r.status
      having sum(sign) <> 0));
  end if;
  return null;
end $$;
