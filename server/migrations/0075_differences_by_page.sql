-- alone: built while statements are matched. Pages of a statement's differences of all kinds.
create index concurrently reconciliation_difference_page on reconciliation_difference (statement_id, id);
