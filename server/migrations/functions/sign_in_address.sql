-- The address under which a sign-in is remembered: IPv4 as it is, IPv6 as its /64 network.
create or replace function sign_in_address(address inet) returns text
  language sql immutable
  as $$ select host(network(set_masklen(address, case family(address) when 4 then 32 else 64 end))) $$;
