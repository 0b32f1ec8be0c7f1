-- A person may work for several merchants: a session works for one of them at a time, and knows whether it has been chosen yet.
-- locks: columns with a constant default, or with none, change no row.

-- False after the sign-in of a person who works for several merchants, until one is chosen. The session's merchant is then the one
-- that is offered first.
alter table session add column is_chosen boolean not null default true;

-- The merchant that the person chose last, which is offered first. It need not be one of the person's any more.
alter table app_user add column last_merchant_id bigint;

-- The merchant that is offered first to a person who signs in: the one chosen last, else the oldest membership; and whether there are
-- others to choose from. Only active memberships at active merchants count.
create or replace view workplace with (security_invoker = true) as
  select distinct on (p.user_id) p.user_id, p.merchant_id, m.requires_two_factor,
    count(*) over (partition by p.user_id) > 1 as is_one_of_several
  from membership p join merchant m on m.id = p.merchant_id join app_user u on u.id = p.user_id
  where p.disabled_at is null and m.suspended_at is null
  order by p.user_id, coalesce(p.merchant_id = u.last_merchant_id, false) desc, p.created_at, p.merchant_id;
