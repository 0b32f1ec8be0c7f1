-- Returns one row per inconsistency between refunds, collections and the ledger; none if all is well.
create or replace function refund_violations() returns table (rule text, detail text)
  language sql stable
  as $$
    select 'collection_counts_its_refunds', format('%s: %s and %s under way, refunds %s and %s', c.trade_no, c.refunded_minor,
        c.refunding_minor, r.done, r.running)
      from collection c
      left join (
        select merchant_id, collection_id, coalesce(sum(amount_minor) filter (where status = 'refunded'), 0) as done,
          coalesce(sum(amount_minor) filter (where status = 'processing'), 0) as running,
          coalesce(sum(fee_minor) filter (where status = 'refunded'), 0) as done_fee,
          coalesce(sum(fee_minor) filter (where status = 'processing'), 0) as running_fee
        from refund group by 1, 2) r on r.merchant_id = c.merchant_id and r.collection_id = c.id
      where (c.refunded_minor, c.refunding_minor, c.refunded_fee_minor, c.refunding_fee_minor)
        <> (coalesce(r.done, 0), coalesce(r.running, 0), coalesce(r.done_fee, 0), coalesce(r.running_fee, 0))
    union all
    select 'refunded_is_given_back_as_a_whole', c.trade_no from collection c
      where (c.status = 'refunded') <> (c.refunded_minor = c.amount_minor)
    union all
    select 'refund_is_what_was_posted', format('%s: %s, posted %s', r.refund_no, r.status, sum(case t.type
        when 'collection_refund' then 1 when 'collection_refund_reversal' then -1 else 0 end))
      from refund r
      -- Not one join with "in" over both keys: it would compare every refund of a merchant with every transfer.
      cross join lateral (values ('collection_refund:' || r.refund_no), ('collection_refund_reversal:' || r.refund_no)) posted (key)
      left join ledger_transfer t on t.merchant_id = r.merchant_id and t.idempotency_key = posted.key
      group by r.merchant_id, r.id
      having sum(case t.type when 'collection_refund' then 1 when 'collection_refund_reversal' then -1 else 0 end)
        <> case when r.status in ('processing', 'refunded') then 1 else 0 end
    union all
    select 'posted_refund_is_its_parts', format('%s: posted %s, refund %s', r.refund_no, e.amount_minor,
        case a.kind when 'unsettled' then r.fee_minor - r.amount_minor when 'fees' then -r.fee_minor else r.amount_minor end)
      from refund r
      join ledger_transfer t on t.merchant_id = r.merchant_id and t.idempotency_key = 'collection_refund:' || r.refund_no
        -- Says the same: otherwise, all of a merchant's orders may be read for each posting.
        and r.refund_no = substr(t.idempotency_key, length('collection_refund:') + 1)
      join ledger_entry e on e.merchant_id = t.merchant_id and e.transfer_id = t.id
      join ledger_account a on a.merchant_id = e.merchant_id and a.id = e.account_id
      where e.amount_minor
        <> case a.kind when 'unsettled' then r.fee_minor - r.amount_minor when 'fees' then -r.fee_minor else r.amount_minor end
    union all
    select 'refund_takes_its_part_of_available_funds', format('%s: posted %s, refund %s', r.refund_no, p.taken, r.available_minor)
      from refund r
      cross join lateral (
        select coalesce(-sum(e.amount_minor), 0) as taken
        from ledger_transfer t
        join ledger_entry e on e.merchant_id = t.merchant_id and e.transfer_id = t.id
        join ledger_account a on a.merchant_id = e.merchant_id and a.id = e.account_id and a.kind = 'available'
        where t.merchant_id = r.merchant_id and t.type = 'collection_settlement' and t.subject_no = r.refund_no) p
      where p.taken <> case when r.status in ('processing', 'refunded') then r.available_minor else 0 end
        -- The entry may be in the archive.
        and not r.created_at < archived_entries_end()
    union all
    select 'posting_has_refund', t.idempotency_key
      from ledger_transfer t
      left join refund r on r.merchant_id = t.merchant_id and r.refund_no = substr(t.idempotency_key, strpos(t.idempotency_key, ':') + 1)
      where t.type = 'collection_refund' and r.id is null
        -- Attempts of earlier versions that the channel declined have none.
        and not exists (select from ledger_transfer b where b.merchant_id = t.merchant_id
          and b.idempotency_key = replace(t.idempotency_key, 'collection_refund:', 'collection_refund_reversal:'))
    union all
    select 'rollup_is_sum_of_refunds', format('merchant %s %s %s %s', merchant_id, currency, bucket, channel)
      from (
        select merchant_id, currency, bucket, channel, sum(orders) as orders, sum(amount_minor) as amount, sum(fee_minor) as fee
        from order_rollup where kind = 'refund' group by 1, 2, 3, 4
        having (sum(orders), sum(amount_minor), sum(fee_minor)) <> (0, 0, 0)) r
      full join (
        select merchant_id, currency, rollup_bucket(ended_at) as bucket, channel, count(*) as orders, sum(amount_minor) as amount,
          sum(fee_minor) as fee
        from refund where status = 'refunded' group by 1, 2, 3, 4) o
      using (merchant_id, currency, bucket, channel)
      where (r.orders, r.amount, r.fee) is distinct from (o.orders, o.amount, o.fee)
  $$;
