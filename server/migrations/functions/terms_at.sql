-- A merchant's terms for a channel at an instant.
create or replace function terms_at(of_merchant bigint, of_channel text, at timestamptz) returns merchant_terms
  language sql stable
  as $$
    select t from merchant_terms t
    where t.merchant_id = of_merchant and t.channel = of_channel and t.valid_from <= at
    order by t.valid_from desc limit 1
  $$;
