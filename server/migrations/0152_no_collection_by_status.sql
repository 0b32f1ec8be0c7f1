-- alone: collection_by_outcome finds the same orders (0150).
drop index concurrently if exists collection_by_status;
