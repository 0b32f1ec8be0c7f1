-- alone: an attack may have left millions of rows, and sign-ins write them meanwhile
create index concurrently sign_in_throttle_expiry on sign_in_throttle (expires_at);
