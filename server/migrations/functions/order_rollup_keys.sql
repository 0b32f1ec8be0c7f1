-- The rows of order_rollup in which an order counts: by its creation, and by its payment if it is paid.
create or replace function order_rollup_keys(
  merchant_id bigint, kind text, currency text, created_at timestamptz, paid_at timestamptz, channel text, status text,
  settlement_status text, amount_minor bigint, fee_minor bigint
) returns setof order_rollup_change
  language sql immutable parallel safe
  as $$
    select merchant_id, kind, axis, currency, rollup_bucket(at), coalesce(channel, ''), status,
      coalesce(settlement_status, ''), 1::bigint, amount_minor, fee_minor
    from (values ('created', created_at), ('paid', paid_at)) axes (axis, at) where at is not null
  $$;
