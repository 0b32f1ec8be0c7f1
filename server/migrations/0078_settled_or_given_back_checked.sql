-- Checks the constraint of 0077. A payment that the version before has settled nevertheless is settled for good; its refunds are therefore
-- deducted by the next settlement, like those of every other settled payment.
-- locks: reads all orders while they are written, and changes those alone that the version before has settled wrongly.

-- Row security hides the rows from the owner, who becomes a member of a role that sees them, and leaves it again.
do $$
begin
  execute format('grant hengfu_system to %I', current_user);
end $$;
set local role hengfu_system;
do $$
begin
  if exists (select from collection where never_settles and settlement_id is not null) then
    update refund r set never_settles = false from collection c
      where c.merchant_id = r.merchant_id and c.id = r.collection_id and c.never_settles and c.settlement_id is not null;
    update collection set never_settles = false where never_settles and settlement_id is not null;
  end if;
end $$;
reset role;
do $$
begin
  execute format('revoke hengfu_system from %I', current_user);
end $$;
alter table collection validate constraint collection_settles_or_not;
