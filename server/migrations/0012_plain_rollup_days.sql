-- Running sums are read by the hundred, a few elements of each. Compressed, they took two thirds of a year's report to decompress:
-- they stay as they are, in the row. Days closed before this migration stay compressed.
alter table order_rollup_day set (toast_tuple_target = 8160);
alter table order_outcome_day set (toast_tuple_target = 8160);
