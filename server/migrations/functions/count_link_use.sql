-- needed by tables
-- Counts the uses of a payment link that its orders hold. An order to be paid holds one, and keeps it if it is paid; one that is given
-- up returns it. A payment that arrives afterwards takes a use again if there is one: otherwise the order is paid without. The
-- constraint of the link refuses every count beyond its uses, whichever process counts.
create or replace function count_link_use() returns trigger
  language plpgsql volatile
  as $$
begin
  if tg_op = 'UPDATE' then
    if old.status = new.status or (old.paid_at is not null and new.paid_at is not null) then
      return new;
    end if;
    if old.status = 'toBePaid' then
      -- Paid, or given up.
      new.holds_link_use := new.paid_at is not null;
      update payment_link set live_orders = live_orders - 1,
        paid_orders = paid_orders + new.holds_link_use::integer,
        paid_minor = paid_minor + case when new.holds_link_use then new.amount_minor else 0 end
      where merchant_id = new.merchant_id and id = new.payment_link_id;
    elsif new.paid_at is not null then
      update payment_link set paid_orders = paid_orders + 1, paid_minor = paid_minor + new.amount_minor
      where merchant_id = new.merchant_id and id = new.payment_link_id
        and (max_uses is null or live_orders + paid_orders < max_uses);
      new.holds_link_use := found;
    end if;
    return new;
  end if;
  new.holds_link_use := new.status = 'toBePaid' or new.paid_at is not null;
  update payment_link set live_orders = live_orders + (new.status = 'toBePaid')::integer,
    paid_orders = paid_orders + (new.paid_at is not null)::integer,
    paid_minor = paid_minor + case when new.paid_at is not null then new.amount_minor else 0 end
  where merchant_id = new.merchant_id and id = new.payment_link_id;
  return new;
end $$;
