-- Compares an order that was just written with its merchant's rules. If one covers it, makes the request for approval and
-- returns true; the caller then keeps the order from being sent. Otherwise it counts the order among those that were sent
-- without approval: what goes to one account, or comes from one requester, within 24 hours is compared as a whole. Hours are
-- counted whole, so an order counts for up to 25. A batch goes to no single account, and the rules for payouts cover its
-- total as well: it is compared with what its requester sent in batches, and in payouts. Rules for payees are compared with the part
-- that goes to accounts that the merchant does not know: `accounts` and `amounts` are all parts of the order. Those of a batch count once
-- they are payouts. This is the only implementation of the rules. Callers hold the advisory lock `approval <merchant>`, so that no
-- two orders are compared with the same sums.
create or replace function ask_approval(
  of_merchant bigint, of_kind text, number text, of_amount bigint, of_currency text, account text, accounts text[],
  amounts bigint[], shown_target text, requester text
) returns boolean
  language plpgsql volatile
  as $$
declare
  -- All programs of a merchant are one requester: a new access key does not reset its sum.
  parties text[] := array_remove(array['payee ' || account_party(account),
    'requester ' || case when requester like 'key:%' then 'key' else requester end], null);
  to_new bigint;
  counted bigint;
  counted_payouts bigint;
  counted_new bigint;
  covering jsonb;
begin
  if exists (select from approval_rule r where r.merchant_id = of_merchant and r.kind = 'payee' and r.ended_at is null) then
    to_new := sum_to_unknown(of_merchant, of_kind, accounts, amounts);
  end if;
  select of_amount + coalesce(max(total) filter (where kind = of_kind), 0),
    case of_kind when 'batch' then of_amount + coalesce(max(total) filter (where kind = 'payout'), 0) end,
    to_new + coalesce(max(total) filter (where kind = 'payee'), 0)
    into counted, counted_payouts, counted_new from (
    select s.kind, sum(s.amount_minor)::bigint as total from approval_sum s
    where s.merchant_id = of_merchant and (s.kind in (of_kind, 'payee') or of_kind = 'batch' and s.kind = 'payout')
      and s.party = any (parties) and s.hour >= date_trunc('hour', now()) - interval '24 hours'
    group by s.kind, s.party) sums;
  select jsonb_agg(jsonb_build_object('approvers', r.approvers, 'roles', r.roles, 'people', r.people::text[]) order by r.id)
    into covering
    from approval_rule r
    where r.merchant_id = of_merchant and r.ended_at is null
      and (r.kind = of_kind and r.amount_minor <= counted or r.kind = 'payout' and r.amount_minor <= counted_payouts
        or r.kind = 'payee' and r.amount_minor <= counted_new);
  if covering is null then
    insert into approval_sum as s (merchant_id, kind, party, hour, amount_minor)
    select of_merchant, summed.kind, party, date_trunc('hour', now()), amount
    from (values (of_kind, of_amount), ('payee', case when of_kind <> 'batch' then to_new end)) as summed (kind, amount)
    cross join unnest(parties) as given (party)
    where amount is not null
    on conflict (merchant_id, kind, party, hour) do update set amount_minor = s.amount_minor + excluded.amount_minor;
    return false;
  end if;
  -- Also without a rule for payees: one that begins while the request waits is compared with it.
  counted_new := coalesce(counted_new, sum_to_unknown(of_merchant, of_kind, accounts, amounts));
  insert into approval_request (merchant_id, request_no, kind, subject_no, currency, amount_minor, counted_minor,
    counted_payouts_minor, counted_new_minor, target, requested_by, rules, created_at, expires_at)
  select of_merchant, new_trade_no('A', of_merchant, now()), of_kind, number, of_currency, of_amount, counted, counted_payouts,
    counted_new, shown_target, requester, covering, now(), now() + m.approval_days * interval '1 day'
  from merchant m where m.id = of_merchant;
  -- One notice for many requests: the list shows them all.
  insert into notice (merchant_id, kind, facts)
  select of_merchant, 'approvalsWaiting', '{}'
  where not exists (
    select from notice n
    where n.merchant_id = of_merchant and n.kind = 'approvalsWaiting' and n.created_at > now() - interval '5 minutes');
  return true;
end $$;
revoke execute on function ask_approval from public;
grant execute on function ask_approval to hengfu_app, hengfu_intake, hengfu_system;
