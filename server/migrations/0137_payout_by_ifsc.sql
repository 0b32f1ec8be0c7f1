-- alone: built while payouts are made. Filters the list of payouts by IFSC, in its order.
create index concurrently payout_by_ifsc on payout (merchant_id, ifsc, created_at desc, id desc) where ifsc is not null;
