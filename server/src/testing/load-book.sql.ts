import type { Step } from '#db/guards.ts';
import type { Load } from './load-orders.sql.ts';

/** The accounts that the transfers move; each kind is a column of `load_leg`. */
const accounts = [
  { kind: 'available', reference: '' },
  { kind: 'locked', reference: '' },
  { kind: 'unsettled', reference: '' },
  { kind: 'fees', reference: '' },
  { kind: 'clearing', reference: 'CN_BANK' },
] as const;

/** Creates every transfer of the year in time order, with the amount that it moves on each account. */
const legs = `
  create unlogged table load_leg as
  select row_number() over (order by at, ord, key) as id, * from (
    select paid_at as at, 1 as ord, 'collection_payment' as type, 'collection_payment:' || trade_no as key, trade_no as subject,
      0::bigint as available, 0::bigint as locked, amount_minor - fee_minor as unsettled, fee_minor as fees, -amount_minor as clearing
    from collection where paid_at is not null
    union all
    select refunded_at, 2, 'collection_refund', 'collection_refund:' || trade_no || '-R1', trade_no,
      0, 0, fee_minor - amount_minor, -fee_minor, amount_minor
    from collection where refunded_at is not null
    union all
    select settled_at, 3, 'collection_settlement', 'collection_settlement:' || settlement_no, settlement_no,
      net_minor, 0, -net_minor, 0, 0
    from settlement where net_minor <> 0
    union all
    select created_at, 4, 'payout_deduction', 'payout_deduction:' || trade_no, trade_no,
      -amount_minor - fee_minor, amount_minor + fee_minor, 0, 0, 0
    from payout
    union all
    select paid_at, 5, 'payout_payment', 'payout_payment:' || trade_no, trade_no,
      0, -amount_minor - fee_minor, 0, fee_minor, amount_minor
    from payout where paid_at is not null
    union all
    select rejected_at, 6, 'payout_refund', 'payout_refund:' || trade_no, trade_no,
      amount_minor + fee_minor, -amount_minor - fee_minor, 0, 0, 0
    from payout where rejected_at is not null) moves`;

/** Builds a merchant's ledger from its orders: transfers, entries with running balances, and accounts. */
export function bookOf({ merchantId }: Load): Step[] {
  return [
    [legs],
    ['analyze load_leg'],
    [
      `insert into ledger_transfer (id, merchant_id, type, idempotency_key, subject_no, created_at)
      overriding system value select id, $1, type, key, subject, at from load_leg order by id`,
      merchantId,
    ],
    [`select setval(pg_get_serial_sequence('ledger_transfer', 'id'), (select max(id) from load_leg))`],
    ...accounts.flatMap(({ kind, reference }): Step[] => [
      [
        `insert into ledger_account (merchant_id, kind, reference, currency) values ($1, '${kind}', '${reference}', 'CNY')
        on conflict on constraint ledger_account_identity do nothing`,
        merchantId,
      ],
      [
        `insert into ledger_entry (merchant_id, account_id, version, transfer_id, amount_minor, balance_after_minor,
          inflow_after_minor, statement_type, created_at)
        select $1, a.id, row_number() over w, l.id, l.${kind}, sum(l.${kind}) over w,
          sum(greatest(l.${kind}, 0)) over w, case when a.kind = 'available' then l.type end, l.at
        from load_leg l, ledger_account a
        where l.${kind} <> 0 and a.merchant_id = $1 and a.kind = '${kind}' and a.currency = 'CNY'
        window w as (order by l.id rows unbounded preceding)`,
        merchantId,
      ],
    ]),
    [
      `update ledger_account a set version = e.version, balance_minor = e.balance, inflow_minor = e.inflow, last_at = e.at
      from (select account_id, max(version) as version, sum(amount_minor) as balance, max(inflow_after_minor) as inflow,
        max(created_at) as at from ledger_entry group by account_id) e
      where e.account_id = a.id`,
    ],
    ['drop table load_leg'],
  ];
}
