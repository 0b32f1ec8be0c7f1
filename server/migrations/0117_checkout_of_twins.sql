-- locks: policies and grants need the table for a moment.

-- A new test merchant begins with the look of the checkout page of the live one (`open_twin`).
create policy twins on checkout_brand to hengfu_twins using (true);
grant select, insert on checkout_brand to hengfu_twins;
