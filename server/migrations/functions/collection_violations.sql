-- Returns one row per inconsistency between collections, settlements and the ledger; none if all is well.
create or replace function collection_violations() returns table (rule text, detail text)
  language sql stable
  as $$
    select 'paid_order_has_one_payment', format('%s: %s postings', c.trade_no, count(t.id))
      from collection c
      left join ledger_transfer t on t.merchant_id = c.merchant_id and t.idempotency_key = 'collection_payment:' || c.trade_no
      where c.paid_at is not null group by c.trade_no having count(t.id) <> 1
    union all
    select 'payment_has_paid_order', t.subject_no
      from ledger_transfer t
      left join collection c on c.merchant_id = t.merchant_id and c.trade_no = t.subject_no
      where t.type = 'collection_payment' and c.paid_at is null
    union all
    select 'payment_is_amount_less_fee', format('%s: posted %s, order %s', c.trade_no, e.amount_minor, c.amount_minor - c.fee_minor)
      from collection c
      join ledger_transfer t on t.merchant_id = c.merchant_id and t.idempotency_key = 'collection_payment:' || c.trade_no
        -- Says the same: otherwise, all of a merchant's orders may be read for each posting.
        and c.trade_no = substr(t.idempotency_key, length('collection_payment:') + 1)
      join ledger_entry e on e.merchant_id = t.merchant_id and e.transfer_id = t.id
      join ledger_account a on a.merchant_id = e.merchant_id and a.id = e.account_id and a.kind = 'unsettled'
      where e.amount_minor <> c.amount_minor - c.fee_minor
    union all
    select 'unsettled_is_sum_of_orders',
        format('merchant %s %s: ledger %s, orders %s', o.merchant_id, o.currency, coalesce(a.balance_minor, 0), o.waiting)
      from (
        -- Unsettled funds: payments that no settlement has moved yet, minus refunds that none has deducted yet. Those that cancel each
        -- other before any settlement are on neither side.
        select merchant_id, currency, sum(minor) as waiting
        from (
          select merchant_id, currency, amount_minor - fee_minor as minor from collection
          where settlement_status <> 'settled' and not never_settles
          union all
          select r.merchant_id, r.currency, -(r.amount_minor - r.fee_minor - r.available_minor)
          from refund r left join settlement s on s.merchant_id = r.merchant_id and s.id = r.settlement_id
          where r.status in ('processing', 'refunded') and not r.never_settles and s.status is distinct from 'settled') parts
        group by merchant_id, currency) o
      left join ledger_account a on a.merchant_id = o.merchant_id and a.currency = o.currency and a.kind = 'unsettled'
      where coalesce(a.balance_minor, 0) <> o.waiting
    union all
    select 'settlement_is_sum_of_its_orders', format('%s: batch %s, orders %s', s.settlement_no, s.net_minor, o.net)
      from settlement s
      cross join lateral (
        select (select coalesce(sum(c.amount_minor - c.fee_minor), 0) from collection c
            where c.merchant_id = s.merchant_id and c.settlement_id = s.id)
          - (select coalesce(sum(r.amount_minor - r.fee_minor - r.available_minor), 0) from refund r
            where r.merchant_id = s.merchant_id and r.settlement_id = s.id) as net) o
      where o.net <> s.net_minor
    union all
    select 'settlement_is_what_was_posted', format('%s: batch %s, posted %s', s.settlement_no, s.net_minor, e.amount_minor)
      from settlement s
      left join ledger_transfer t on t.merchant_id = s.merchant_id and t.idempotency_key = 'collection_settlement:' || s.settlement_no
      left join (
        ledger_entry e
        join ledger_account a on a.merchant_id = e.merchant_id and a.id = e.account_id and a.kind = 'available')
        on e.merchant_id = t.merchant_id and e.transfer_id = t.id
      where s.status = 'settled' and coalesce(e.amount_minor, 0) <> s.net_minor
        -- The entry may be in the archive.
        and not (e.version is null and t.id is not null and t.created_at < archived_entries_end())
    union all
    select 'rollup_is_sum_of_orders', format('merchant %s %s %s %s: %s %s %s', merchant_id, axis, currency, bucket, channel,
        status, settlement_status)
      from (
        select merchant_id, axis, currency, bucket, channel, status, settlement_status, sum(orders) as orders,
          sum(amount_minor) as amount, sum(fee_minor) as fee
        from order_rollup where kind = 'collection' group by 1, 2, 3, 4, 5, 6, 7
        having (sum(orders), sum(amount_minor), sum(fee_minor)) <> (0, 0, 0)) r
      full join (
        select merchant_id, axis, currency, bucket, channel, status, settlement_status, sum(orders) as orders,
          sum(amount_minor) as amount, sum(fee_minor) as fee
        from (
          select keys.* from collection o
          cross join lateral order_rollup_keys(o.merchant_id, 'collection', o.currency, o.created_at, o.paid_at,
            o.channel, o.status, o.settlement_status, o.amount_minor, o.fee_minor) keys) parts
        group by 1, 2, 3, 4, 5, 6, 7) o
      using (merchant_id, axis, currency, bucket, channel, status, settlement_status)
      where (r.orders, r.amount, r.fee) is distinct from (o.orders, o.amount, o.fee)
  $$;
