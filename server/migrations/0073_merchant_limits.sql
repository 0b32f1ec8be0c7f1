-- Limits of merchants, and the days on which they settle.
-- locks: columns without a default that is calculated rewrite no row, and the checks read a table with one row for each merchant.

alter table merchant
  -- In the merchant's currency; null: no limit.
  add column payout_limit_minor bigint check (payout_limit_minor > 0),
  add column payout_day_limit_minor bigint check (payout_day_limit_minor > 0),
  add column withdrawal_day_limit_minor bigint check (withdrawal_day_limit_minor > 0),
  add column collection_limit_minor bigint check (collection_limit_minor > 0),
  add column settlement_cycle text not null default 'daily' check (settlement_cycle in ('daily', 'workdays', 'weekly')),
  -- From Monday (1) to Sunday (7), of a weekly cycle.
  add column settlement_weekday smallint check (settlement_weekday between 1 and 7),
  add constraint merchant_settlement_weekday check ((settlement_cycle = 'weekly') = (settlement_weekday is not null));
grant select (zone, payout_limit_minor, payout_day_limit_minor, collection_limit_minor) on merchant to hengfu_intake;
grant select (payout_limit_minor, payout_day_limit_minor, withdrawal_day_limit_minor, collection_limit_minor, settlement_cycle,
  settlement_weekday), update (payout_limit_minor, payout_day_limit_minor, withdrawal_day_limit_minor, collection_limit_minor,
  settlement_cycle, settlement_weekday, settlement_cut_off) on merchant to hengfu_staff;
