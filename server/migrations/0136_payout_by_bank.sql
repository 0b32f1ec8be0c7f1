-- alone: built while payouts are made. Filters the list of payouts by bank, in its order.
create index concurrently payout_by_bank on payout (merchant_id, bank, created_at desc, id desc) where bank is not null;
