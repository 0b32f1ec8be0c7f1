-- alone: built while withdrawals are made. Withdrawals to one wallet, of all merchants; hexadecimal addresses mean the same in either case.
create index concurrently withdrawal_by_wallet on withdrawal (
  (case when network in ('ERC20', 'BEP20') then lower(address) else address end), created_at desc);
