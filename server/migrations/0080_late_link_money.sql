-- alone: built while collections are paid. Payments beyond a link's uses that nothing has given back: almost always none.
create index concurrently collection_late_link_money on collection (merchant_id, id)
  where not holds_link_use and paid_at is not null and refunded_minor = 0 and refunding_minor = 0;
