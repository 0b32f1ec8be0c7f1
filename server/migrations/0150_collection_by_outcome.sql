-- alone: the reasons of refused collections are counted from the index (decision 0024). It replaces collection_by_status.
create index concurrently collection_by_outcome on collection (merchant_id, status, created_at desc, id desc) include (currency, failure_code);
