-- Finds the movements at a channel with some numbers, whenever they were: positive came in at the channel. The lane in a number finds its
-- merchant. Entries of archived months are not found.
create or replace function staff_clearing_of(in_channel text, in_currency text, given text[])
  returns table (reference text, merchant_id bigint, subject_no text, amount_minor bigint, moved_at timestamptz)
  language plpgsql stable security definer set search_path = public, pg_temp
  set plan_cache_mode = force_custom_plan set enable_nestloop = on
  as $$
begin
  return query
    with lane as materialized (
      select m.id, merchant_lane(m.id) as code from merchant m where m.mode = 'live'
    )
    select number, t.merchant_id, t.subject_no, -e.amount_minor, e.created_at::timestamptz
    from unnest(given) as number
    join lane on lane.code = lane_of_number(number)
    cross join unnest(array['collection_payment:', 'payout_payment:', 'collection_refund:']) as prefix
    join ledger_transfer t on t.merchant_id = lane.id and t.idempotency_key = prefix || number
    -- An entry is never older than its transfer, nor much younger; this keeps the look-up to one month.
    join ledger_entry e on e.merchant_id = t.merchant_id and e.transfer_id = t.id
      and e.created_at >= t.created_at - interval '1 second' and e.created_at < t.created_at + interval '1 day'
    join ledger_account a on a.merchant_id = e.merchant_id and a.id = e.account_id and a.kind = 'clearing'
      and a.reference = in_channel and a.currency = in_currency;
end $$;
call give_function('staff_clearing_of', 'hengfu_overview');
grant execute on function staff_clearing_of to hengfu_staff;
