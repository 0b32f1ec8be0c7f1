import type { Step } from '@hengfu/server/db/guards.ts';

/** Merchants of which each has a twentieth of the orders; the others share the rest. */
const busyMerchants = 10;

/** Orders `o` of `$1` orders of all merchants, in the order of their times: numbers of orders would otherwise repeat. */
const orders = (share: number) => `(
  select m.id, n, made, dice
  from (select id, count(*) over () as merchants, row_number() over (order by id) as place from merchant) m
  cross join lateral generate_series(1, (case when m.place <= ${busyMerchants} then $1::bigint * ${share} / 20
    else $1::bigint * ${share} / 2 / (m.merchants - ${busyMerchants}) end)::bigint) n
  cross join lateral (select (now() - interval '1 hour' - (hashint8(n * 7919 + m.id) & 2147483647) * interval '14.6 milliseconds')::timestamptz(3)
    as made, (hashint8(n + m.id) & 2147483647) % 100 as dice) chance
  order by made) o`;

/** The steps that insert orders of a year for all merchants: seven collections for every three payouts, without postings. */
export function ordersOfAll(count: number): Step[] {
  return [
    [
      `insert into collection (merchant_id, trade_no, out_trade_no, request_hash, status, settlement_status, currency, amount_minor,
        fee_minor, channel, subject, cashier_token, bank_reference, created_at, expires_at, paid_at)
      select o.id, new_trade_no('C', o.id, made), 'SHOP' || n, '', case when dice < 80 then 'success' when dice < 97 then 'closed' else 'failed' end,
        case when dice < 80 then 'settled' end, 'CNY', 100 + n, case when dice < 80 then 1 else 0 end, 'CN_BANK', 'Order ' || n,
        merchant_lane(o.id) || md5(o.id || ' ' || n), case when dice < 80 then 'BK' || md5(o.id || ' ' || n) end, made, made + interval '30 minutes',
        case when dice < 80 then made + interval '2 minutes' end
      from ${orders(0.7)}`,
      count,
    ],
    [
      `insert into payout (merchant_id, trade_no, out_trade_no, request_hash, status, currency, amount_minor, fee_minor, channel, payee,
        payee_account, account_key, source, created_by, bank_reference, created_at, sent_at, paid_at, rejected_at)
      select o.id, new_trade_no('P', o.id, made), 'PAY' || n, '', case when dice < 95 then 'processed' else 'rejected' end, 'CNY', 100 + n, 0, 'CN_BANK',
        'Nguyen ' || n % 1000, 622200000000 + n, 'CN_BANK ICBC ' || 622200000000 + n, 'openApi', 'key:x',
        case when dice < 95 then 'PB' || md5(o.id || ' ' || n) end, made, case when dice < 95 then made end,
        case when dice < 95 then made + interval '1 minute' end, case when dice >= 95 then made + interval '1 minute' end
      from ${orders(0.3)}`,
      count,
    ],
    ['analyze collection, payout'],
  ];
}
