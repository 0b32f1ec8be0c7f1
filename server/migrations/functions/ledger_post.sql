-- Posts one transfer for the merchant of the transaction: entry i moves amounts[i] on the account (kinds[i], refs[i]).
-- Accounts are locked in the order of their IDs, so that no two postings deadlock.
-- Raises ledger_unbalanced if the sum is not zero, unique_violation on ledger_transfer_once if it was posted before, and
-- check_violation on ledger_account_not_negative if the funds do not cover it.
create or replace function ledger_post(
  transfer_type text, transfer_key text, subject text, in_currency text, kinds text[], refs text[],
  amounts bigint[], at timestamptz
) returns bigint
  language plpgsql volatile security definer set search_path = public, pg_temp
  as $$
declare
  merchant bigint := current_merchant();
  new_transfer bigint;
begin
  if merchant is null then
    raise exception 'ledger_post needs a merchant' using errcode = 'insufficient_privilege';
  end if;
  -- The back office posts what its reviews and its reconciliation need. The login, because this runs as the owner of the function.
  if transfer_type not in ('topup', 'withdrawal_payment', 'withdrawal_refund', 'adjustment')
    and pg_has_role(session_user, 'hengfu_staff', 'member') and not pg_has_role(session_user, 'hengfu_system', 'member')
  then
    raise insufficient_privilege using message = format('the back office cannot post %s', transfer_type);
  end if;
  if coalesce((select sum(a) from unnest(amounts) a), 1) <> 0 then
    raise exception 'ledger_unbalanced: entries of % % do not sum to zero', transfer_type, subject;
  end if;

  insert into ledger_transfer (merchant_id, type, idempotency_key, subject_no, created_at)
    values (merchant, transfer_type, transfer_key, subject, at)
    returning id into new_transfer;

  insert into ledger_account (merchant_id, kind, currency, reference)
    select merchant, k, in_currency, r from unnest(kinds, refs) as wanted (k, r)
    where not exists (
      select from ledger_account a
      where a.merchant_id = merchant and a.kind = k and a.currency = in_currency and a.reference = r)
    on conflict do nothing;

  perform from ledger_account a
    where a.merchant_id = merchant and a.currency = in_currency
      and (a.kind, a.reference) in (select k, r from unnest(kinds, refs) as wanted (k, r))
    order by a.id
    for update;

  with moved as (
    select k, r, sum(m)::bigint as amount from unnest(kinds, refs, amounts) as move (k, r, m)
    group by k, r having sum(m) <> 0
  ), changed as (
    update ledger_account a
      set balance_minor = a.balance_minor + moved.amount, version = a.version + 1,
        -- A transaction that began earlier may lock the account later, and entries must not go back in time.
        last_at = greatest(at, a.last_at), inflow_minor = a.inflow_minor + greatest(moved.amount, 0)
      from moved
      where a.merchant_id = merchant and a.currency = in_currency and a.kind = moved.k and a.reference = moved.r
      returning a.id, a.kind, a.version, moved.amount, a.balance_minor, a.inflow_minor, a.last_at
  )
  insert into ledger_entry (merchant_id, account_id, version, transfer_id, amount_minor, balance_after_minor,
      inflow_after_minor, statement_type, created_at)
    select merchant, id, version, new_transfer, amount, balance_minor, inflow_minor,
      case when kind = 'available' then transfer_type end, last_at from changed;

  return new_transfer;
end $$;
call give_function('ledger_post', 'hengfu_ledger');
revoke execute on function ledger_post from public;
grant execute on function ledger_post to hengfu_app, hengfu_staff, hengfu_system;
