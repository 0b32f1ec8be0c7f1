-- locks: reads a table with one row for each merchant.
alter table merchant validate constraint merchant_retired;
