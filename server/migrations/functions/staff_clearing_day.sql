-- The movements at a channel between two instants, by the number under which the channel knows each, over all live merchants: positive
-- came in at the channel. A refund that the channel refused nets to nothing and is left out. Adjustments are no movements of the channel.
-- Raises serialization_failure if a month was archived in the meantime.
create or replace function staff_clearing_day(in_channel text, in_currency text, since timestamptz, until timestamptz)
  returns table (reference text, merchant_id bigint, subject_no text, amount_minor bigint)
  language plpgsql stable security definer set search_path = public, pg_temp
  set plan_cache_mode = force_custom_plan set enable_nestloop = on
  rows 100000
  as $$
begin
  return query
    select substr(t.idempotency_key, strpos(t.idempotency_key, ':') + 1) collate "C", t.merchant_id, t.subject_no,
      -sum(e.amount_minor)::bigint
    from ledger_account a
    join merchant m on m.id = a.merchant_id and m.mode = 'live'
    join ledger_entry e on e.merchant_id = a.merchant_id and e.account_id = a.id
      and e.created_at >= since and e.created_at < until
    join ledger_transfer t on t.merchant_id = e.merchant_id and t.id = e.transfer_id
    where a.kind = 'clearing' and a.reference = in_channel and a.currency = in_currency and t.type <> 'adjustment'
    group by 1, 2, 3
    having sum(e.amount_minor) <> 0;
  perform require_all_months('ledger_entry');
end $$;
call give_function('staff_clearing_day', 'hengfu_overview');
grant execute on function staff_clearing_day to hengfu_staff;
