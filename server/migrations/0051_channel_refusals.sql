-- Why a channel refused, as a code of the contract that has a phrase in every language. The channel's own words stay where
-- they were (failure_reason, reject_reason, detail): they are for support. A version before this one writes no code.
alter table collection add column failure_code text;
alter table collection_event add column refusal text;
alter table payout add column reject_code text;
alter table payout_event add column refusal text;
