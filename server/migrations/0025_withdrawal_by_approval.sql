-- alone: built while withdrawals are made. The withdrawals that a rule covers, by the state of their approval.
create index concurrently withdrawal_by_approval on withdrawal (merchant_id, approval_state, created_at desc, id desc)
  where approval_state is not null;
