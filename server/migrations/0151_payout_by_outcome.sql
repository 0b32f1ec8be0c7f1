-- alone: the reasons of refused payouts are counted from the index (decision 0024). It replaces payout_by_status.
create index concurrently payout_by_outcome on payout (merchant_id, status, created_at desc, id desc) include (currency, reject_code);
