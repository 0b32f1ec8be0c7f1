-- Returns one row per payment link whose counts are not those of its orders; none if all is well.
create or replace function payment_link_violations() returns table (rule text, detail text)
  language sql stable
  as $$
    select 'link_counts_its_orders', format('%s: counts %s to be paid, %s paid, %s; orders %s, %s, %s', l.link_no, l.live_orders,
        l.paid_orders, l.paid_minor, o.live, o.paid, o.minor)
      from payment_link l
      cross join lateral (
        select count(*) filter (where c.status = 'toBePaid') as live, count(*) filter (where c.paid_at is not null) as paid,
          coalesce(sum(c.amount_minor) filter (where c.paid_at is not null), 0) as minor
        from collection c
        where c.merchant_id = l.merchant_id and c.payment_link_id = l.id and c.holds_link_use) o
      where (l.live_orders, l.paid_orders, l.paid_minor) is distinct from (o.live, o.paid, o.minor)
    union all
    select 'order_to_be_paid_holds_its_use', c.trade_no
      from collection c where c.payment_link_id is not null and c.holds_link_use is distinct from true and c.status = 'toBePaid'
    union all
    select 'order_given_up_holds_no_use', c.trade_no
      from collection c where c.holds_link_use and c.status in ('cancelled', 'closed', 'failed')
  $$;
