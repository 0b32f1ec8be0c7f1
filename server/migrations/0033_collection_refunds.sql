-- alone: built while collections are made. A first rule for refunds counts those of the past hours.
create index concurrently collection_by_refund on collection (merchant_id, refund_requested_at)
  where refund_requested_at is not null;
