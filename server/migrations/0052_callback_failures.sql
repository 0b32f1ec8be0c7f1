-- Why a callback got no answer, as a code of the contract that has a phrase in every language. `error` keeps the words for
-- the staff; attempts made before, and those of a version before this one, have them alone.
alter table callback_attempt add column failure text;
