-- Returns one row per inconsistency between top-ups and the ledger; none if all is well.
create or replace function topup_violations() returns table (rule text, detail text)
  language sql stable
  as $$
    select 'topup_is_credited_once', format('%s is %s: %s postings of %s, worth %s', t.trade_no, t.status, count(e.version), coalesce(sum(e.amount_minor), 0), t.amount_minor)
      from topup t
      left join ledger_transfer p on p.merchant_id = t.merchant_id and p.idempotency_key = 'topup:' || t.trade_no
      left join ledger_account a on a.merchant_id = t.merchant_id and a.kind = 'available' and a.currency = t.currency
      left join ledger_entry e on e.merchant_id = t.merchant_id and e.transfer_id = p.id and e.account_id = a.id
      group by t.trade_no, t.status, t.amount_minor
      having (count(e.version) <> (t.status = 'paid')::int or (t.status = 'paid' and sum(e.amount_minor) <> t.amount_minor))
        -- The entry of a paid one may be in the archive.
        and not (t.status = 'paid' and count(e.version) = 0 and count(p.id) = 1 and min(p.created_at) < archived_entries_end())
    union all
    select 'posting_has_topup', p.idempotency_key
      from ledger_transfer p
      left join topup t on t.merchant_id = p.merchant_id and t.trade_no = p.subject_no
      join merchant m on m.id = p.merchant_id
      where p.type = 'topup' and t.id is null
        -- Test funds come from nowhere, and only test merchants have them.
        and not (m.mode = 'test' and starts_with(p.idempotency_key, 'test_funds:'))
  $$;
