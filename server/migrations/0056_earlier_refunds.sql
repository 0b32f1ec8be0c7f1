-- The refunds of the versions before: each gave back the whole amount with the fee, out of unsettled funds.
-- A new database has none, nor yet the functions that count them.
-- locks: the rows of refunded collections alone; nothing else waits.

-- Row security hides the rows from the owner, who becomes a member of a role that sees them, and leaves it again.
do $$
begin
  execute format('grant hengfu_system to %I', current_user);
end $$;
set local role hengfu_system;
do $$
begin
  if exists (select from collection where refund_requested_at is not null or refund_approval_state = 'waiting') then
    -- The version before may begin and end refunds meanwhile: then its trigger writes them.
    perform from collection where refund_requested_at is not null or refund_approval_state = 'waiting' for update;
    with old as (
      select c.*, (
          select substr(t.idempotency_key, length('collection_refund:') + 1) from ledger_transfer t
          where t.merchant_id = c.merchant_id and t.subject_no = c.trade_no and t.type = 'collection_refund'
          order by t.id desc limit 1) as number
      from collection c where c.refund_requested_at is not null
        and not exists (select from refund r where r.merchant_id = c.merchant_id and r.collection_id = c.id)
    )
    insert into refund (merchant_id, refund_no, collection_id, status, currency, amount_minor, fee_minor, channel, requested_by,
      approval_state, created_at, ended_at, settlement_id, never_settles)
    select merchant_id, coalesce(number, trade_no || '-R1'), id, case status when 'refunded' then 'refunded' else 'processing' end, currency,
      amount_minor, fee_minor, channel, 'service', case refund_approval_state when 'approved' then 'approved' end, refund_requested_at,
      refunded_at, refund_settlement_id, status = 'refunded' and settlement_id is null
    from old;
    insert into refund (merchant_id, refund_no, collection_id, status, currency, amount_minor, fee_minor, channel, requested_by, approval_state)
    select c.merchant_id, c.trade_no || '-R1', c.id, 'requested', c.currency, c.amount_minor, c.fee_minor, c.channel, a.requested_by, 'waiting'
    from collection c
    join approval_request a on a.merchant_id = c.merchant_id and a.kind = 'refund' and a.subject_no = c.trade_no and a.state = 'waiting'
    where c.refund_approval_state = 'waiting' and c.refund_requested_at is null
      and not exists (select from refund r where r.merchant_id = c.merchant_id and r.collection_id = c.id);
    update collection set
        refunded_minor = case status when 'refunded' then amount_minor else 0 end,
        refunded_fee_minor = case status when 'refunded' then fee_minor else 0 end,
        refunding_minor = case status when 'refunded' then 0 else amount_minor end,
        refunding_fee_minor = case status when 'refunded' then 0 else fee_minor end,
        never_settles = status = 'refunded' and settlement_id is null
      where refund_requested_at is not null and refunded_minor = 0 and refunding_minor = 0;
  end if;
end $$;
reset role;
do $$
begin
  execute format('revoke hengfu_system from %I', current_user);
end $$;
alter table collection validate constraint collection_refunds_within_amount;
