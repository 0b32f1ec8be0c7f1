-- The password that money leaves by; Argon2id, each person's own.
alter table app_user add payment_password_hash text;
