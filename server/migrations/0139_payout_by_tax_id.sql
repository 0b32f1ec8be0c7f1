-- alone: built while payouts are made. Filters the list of payouts by CPF or CNPJ, in its order.
create index concurrently payout_by_tax_id on payout (merchant_id, tax_id, created_at desc, id desc) where tax_id is not null;
