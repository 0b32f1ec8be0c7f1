-- Evidence for outcomes of payouts that the bank's statement decides: pictures and documents that the second person reads.

create table staff_evidence (
  id bigint generated always as identity primary key,
  -- The payout.
  subject text collate "C" not null check (subject <> ''),
  -- `staff:<id>` or `operator:<name>`.
  uploaded_by text not null check (uploaded_by ~ '^(staff|operator):.'),
  name text not null check (char_length(name) between 1 and 200),
  type text not null check (type in ('image/png', 'image/jpeg', 'application/pdf')),
  content bytea not null check (octet_length(content) between 1 and 5242880),
  sha256 bytea not null check (octet_length(sha256) = 32),
  created_at timestamptz(3) not null default now(),
  -- The request that it belongs to; null also for evidence of what an operator did without a second person.
  request_id bigint references staff_request,
  -- When somebody asked with it. A file that nobody asked with is deleted after a day.
  kept_at timestamptz(3),
  constraint staff_evidence_kept check (request_id is null or kept_at is not null)
);
-- Pictures and documents are compressed already.
alter table staff_evidence alter column content set storage external;
create index staff_evidence_of_subject on staff_evidence (subject, id);
create index staff_evidence_loose on staff_evidence (uploaded_by, created_at) where kept_at is null;
create trigger kept before update or delete on staff_evidence
  for each row when (old.kept_at is not null) execute function refuse_change();
grant select, insert (subject, uploaded_by, name, type, content, sha256), update (request_id, kept_at), delete
  on staff_evidence to hengfu_staff;
