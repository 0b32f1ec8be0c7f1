-- Changes of the team that give payment rights are requests, too, as soon as a merchant has rules.
-- locks: columns without a volatile default change no row; the new checks are valid for every row that is there.

alter table approval_request drop constraint approval_request_kind_check;
alter table approval_request add constraint approval_request_kind_check
  check (kind in ('payout', 'batch', 'withdrawal', 'rules', 'team')) not valid;
alter table approval_request validate constraint approval_request_kind_check;
alter table approval_request drop constraint approval_request_subject;
-- Orders have a number; changes of settings are in `change`.
alter table approval_request add constraint approval_request_subject
  check ((subject_no is null) = (kind in ('rules', 'team')) and (subject_no is null) = (change is not null)) not valid;
alter table approval_request validate constraint approval_request_subject;

-- Null if no rule asks for approval. The link works once it is null or approved.
alter table invitation add column approval_state text;
alter table invitation add constraint invitation_approval_state
  check (approval_state in ('waiting', 'approved', 'refused', 'withdrawn', 'expired')) not valid;
alter table invitation validate constraint invitation_approval_state;

-- The people who have read the secret of an access key. What a program with the key asks for, they have asked for themselves.
create table access_key_reader (
  merchant_id bigint not null,
  key_id text not null,
  user_id bigint not null,
  read_at timestamptz not null default now(),
  primary key (merchant_id, key_id, user_id),
  foreign key (merchant_id, user_id) references membership
);
call protect_tenant_table('access_key_reader');
grant select, insert on access_key_reader to hengfu_app, hengfu_system;
insert into access_key_reader (merchant_id, key_id, user_id, read_at)
select a.merchant_id, a.subject, p.user_id, min(a.at)
from audit a join membership p on p.merchant_id = a.merchant_id and 'user:' || p.user_id = a.actor
where a.action in ('access_key.reveal', 'access_key.regenerate') and a.subject is not null
group by a.merchant_id, a.subject, p.user_id;
