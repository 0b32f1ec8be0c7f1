-- Two reports that name different bookings of the bank are two contradictions, even if both say the same.
-- locks: the key is built anew on a table that has a row for each contradiction only, so it is small.

alter table payout_contradiction drop constraint payout_contradiction_pkey,
  add constraint payout_contradiction_pkey primary key (merchant_id, payout_id, source, reported, bank_reference);

-- Requests about one payout are found without reading all of them.
create index staff_request_about on staff_request (subject, kind);
