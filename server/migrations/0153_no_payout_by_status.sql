-- alone: payout_by_outcome finds the same orders (0151).
drop index concurrently if exists payout_by_status;
