-- alone: built while collections are made. The orders of a payment link, in the order of the list.
create index concurrently collection_by_link on collection (merchant_id, payment_link_id, created_at desc, id desc)
  where payment_link_id is not null;
