-- alone: built while payouts are made. The accounts that an approved payout has gone to: they are known from then on.
create index concurrently payout_to_approved_account on payout (merchant_id, account_key)
  where approval_state = 'approved' and status = 'processed';
