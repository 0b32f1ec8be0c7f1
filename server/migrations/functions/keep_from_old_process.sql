-- needed by tables
-- Keeps a message of an endpoint as it is when a process of the version before sends it again. That process does not know endpoints: it
-- would sign the message with the access key, as if it were for the callback URL of the order, and the acknowledgment would complete the
-- order. It sets neither of the two instants that newer processes set, and finds nothing to send again.
create or replace function keep_from_old_process() returns trigger
  language plpgsql volatile
  as $$
begin
  return null;
end $$;
