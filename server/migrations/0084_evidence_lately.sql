-- Files of evidence are counted by the day they were uploaded on.
-- locks: a small table; the files themselves are stored beside it.

create index staff_evidence_lately on staff_evidence (created_at);
