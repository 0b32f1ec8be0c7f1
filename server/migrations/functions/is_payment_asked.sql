-- Whether a second person has yet to agree to the payment of a withdrawal of the current merchant, whose role does not see what our
-- staff ask each other.
create or replace function is_payment_asked(withdrawal_no text) returns boolean
  language plpgsql stable security definer set search_path = public, pg_temp
  as $$
begin
  return exists (
    select from staff_request r
    where r.kind = 'withdrawalPayment' and r.subject = withdrawal_no and r.state = 'waiting' and r.about_merchant = current_merchant());
end $$;
revoke execute on function is_payment_asked from public;
grant execute on function is_payment_asked to hengfu_app, hengfu_staff;
