-- alone: built while payouts are made. Filters the list of payouts by type of PIX key, in its order.
create index concurrently payout_by_account_type on payout (merchant_id, account_type, created_at desc, id desc) where account_type is not null;
