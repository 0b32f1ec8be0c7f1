-- alone: built while payouts are made. The payouts that a rule covers, by the state of their approval.
create index concurrently payout_by_approval on payout (merchant_id, approval_state, created_at desc, id desc)
  where approval_state is not null;
