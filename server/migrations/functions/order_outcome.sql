-- The outcome of an order in a status: 'succeeded', 'lost', or null while it has no final result. A refunded one succeeded before.
create or replace function order_outcome(status text) returns text
  language sql immutable parallel safe
  as $$
    select case
      when status in ('paid', 'success', 'refunded', 'processed') then 'succeeded'
      when status in ('cancelled', 'closed', 'failed', 'rejected') then 'lost'
    end
  $$;
