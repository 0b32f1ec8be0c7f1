import type { Step } from '@hengfu/server/db/guards.ts';

/** The day of the movements: a few days ago, so that it is over everywhere. */
export function dayOfMovements(): string {
  return new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10);
}

/** The steps that post payments of 100.00 and n hundredths, n from 1 to `count`, for each merchant, without their orders. */
export function movementsOf(day: string, count: number): Step[] {
  const sum = 'n * 10000 + n * (n + 1) / 2';
  return [
    [
      `insert into ledger_account (merchant_id, kind, reference, currency, balance_minor, version, last_at, inflow_minor)
      select id, kind, reference, 'CNY', sign * total, $1::bigint, $2::date + $1::bigint * interval '5 milliseconds', greatest(sign * total, 0)
      from merchant cross join (values ('clearing', 'CN_BANK', -1), ('fees', '', 1)) side (kind, reference, sign)
      cross join (select ${sum} as total from (select $1::bigint as n) one) sums`,
      count,
      day,
    ],
    [
      `insert into ledger_transfer (merchant_id, type, idempotency_key, subject_no, created_at)
      select id, 'collection_payment', 'collection_payment:' || number, number, $2::date + n * interval '5 milliseconds'
      from generate_series(1, $1::bigint) n cross join merchant
      cross join lateral (select 'C261101000000' || merchant_lane(id) || lpad(n::text, 6, '0') as number) numbers`,
      count,
      day,
    ],
    [
      `insert into ledger_entry (merchant_id, account_id, version, transfer_id, amount_minor, balance_after_minor, inflow_after_minor, created_at)
      select t.merchant_id, a.id, n, t.id, sign * (10000 + n), sign * (${sum}), greatest(sign * (${sum}), 0), t.created_at
      from ledger_transfer t cross join lateral (select right(t.subject_no, 6)::bigint as n) numbers
      join ledger_account a on a.merchant_id = t.merchant_id
      cross join lateral (select case a.kind when 'clearing' then -1 else 1 end as sign) signs`,
    ],
    ['analyze ledger_account, ledger_transfer, ledger_entry'],
  ];
}
