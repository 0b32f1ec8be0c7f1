-- needed by tables
-- Keeps the table of refunds in step with a refund that the version before begins, ends or settles, in its transaction. This version
-- never changes these columns, except that it moves an order to 'refunded' with its refunds already counted.
create or replace function follow_old_refund() returns trigger
  language plpgsql volatile
  as $$
declare
  parts integer := (select count(*) from refund r where r.merchant_id = new.merchant_id and r.collection_id = new.id);
  number text := new.trade_no || '-R' || parts + 1;
begin
  -- Its requests have no hash.
  if new.refund_approval_state = 'waiting' and old.refund_approval_state is distinct from 'waiting' then
    insert into refund (merchant_id, refund_no, collection_id, status, currency, amount_minor, fee_minor, channel, requested_by,
        approval_state)
      values (new.merchant_id, number, new.id, 'requested', new.currency, new.amount_minor, new.fee_minor, new.channel, 'service',
        'waiting');
  elsif new.refund_approval_state in ('refused', 'withdrawn', 'expired') and old.refund_approval_state = 'waiting' then
    update refund set status = 'failed', approval_state = new.refund_approval_state, ended_at = now(),
        failure_code = case new.refund_approval_state when 'refused' then 'notApproved' else new.refund_approval_state end
      where merchant_id = new.merchant_id and collection_id = new.id and status = 'requested' and request_hash is null;
  end if;
  if new.refund_requested_at is not null and old.refund_requested_at is null then
    if exists (select from refund r where r.merchant_id = new.merchant_id and r.collection_id = new.id and r.status = 'requested'
        and r.request_hash is not null) then
      raise exception 'the refund of % is not approved', new.trade_no
        using errcode = 'check_violation', constraint = 'refund_is_approved', table = 'refund';
    end if;
    number := coalesce((
      select substr(t.idempotency_key, length('collection_refund:') + 1) from ledger_transfer t
      where t.merchant_id = new.merchant_id and t.subject_no = new.trade_no and t.type = 'collection_refund'
      order by t.id desc limit 1), number);
    -- The constraint refuses a whole refund beside parts that this version has given back.
    new.refunding_minor := new.refunding_minor + new.amount_minor;
    new.refunding_fee_minor := new.refunding_fee_minor + new.fee_minor;
    update refund set status = 'processing', approval_state = 'approved', refund_no = number, created_at = new.refund_requested_at
      where merchant_id = new.merchant_id and collection_id = new.id and status = 'requested' and request_hash is null;
    if not found then
      insert into refund (merchant_id, refund_no, collection_id, status, currency, amount_minor, fee_minor, channel, requested_by,
          approval_state, created_at)
        values (new.merchant_id, number, new.id, 'processing', new.currency, new.amount_minor, new.fee_minor, new.channel, 'service',
          case new.refund_approval_state when 'approved' then 'approved' end, new.refund_requested_at);
    end if;
  elsif new.refund_requested_at is null and old.refund_requested_at is not null then
    update refund set status = 'failed', failure_code = 'channelRefused', ended_at = now()
      where merchant_id = new.merchant_id and collection_id = new.id and status = 'processing' and amount_minor = new.amount_minor;
    if found then
      new.refunding_minor := new.refunding_minor - new.amount_minor;
      new.refunding_fee_minor := new.refunding_fee_minor - new.fee_minor;
    end if;
  end if;
  if new.refunded_at is not null and new.refunded_minor < new.amount_minor then
    new.refunding_minor := 0;
    new.refunding_fee_minor := 0;
    new.refunded_minor := new.amount_minor;
    new.refunded_fee_minor := new.fee_minor;
    new.never_settles := new.settlement_id is null;
    update refund set status = 'refunded', ended_at = new.refunded_at, never_settles = new.never_settles
      where merchant_id = new.merchant_id and collection_id = new.id and status = 'processing';
  end if;
  if new.refund_settlement_id is distinct from old.refund_settlement_id then
    -- Deducts what the collection brought; refunds of this version may have cost something else.
    update refund set settlement_id = new.refund_settlement_id
      where merchant_id = new.merchant_id and collection_id = new.id and settlement_id is null
        and amount_minor - fee_minor - available_minor = new.amount_minor - new.fee_minor;
    if not found then
      raise exception 'the refunds of % are settled one by one', new.trade_no using errcode = 'check_violation';
    end if;
  end if;
  return new;
end $$;
