-- Locks of people of merchants: the back office offers to unlock only people who are locked out.
-- locks: a grant changes no row; it needs its table for a moment.
grant select (blocked_until) on sign_in_throttle to hengfu_staff;
