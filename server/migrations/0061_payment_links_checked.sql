-- Checks the constraints that 0060 has added. No order had a link before.
-- locks: reads all orders while they are written.
alter table collection validate constraint collection_link_use;
alter table collection validate constraint collection_payment_link;
