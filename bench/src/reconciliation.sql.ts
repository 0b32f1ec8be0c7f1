import { type RawBuilder, sql } from 'kysely';

/** The day of the movements: a few days ago, so that it is over everywhere. */
export function dayOfMovements(): string {
  return new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10);
}

/** The legs of some of a merchant's movements of a day, for `postSeries`: the payment n of 100.00 and n hundredths. */
export function movementsOf(
  merchantId: bigint,
  day: string,
  first: number,
  last: number,
): RawBuilder<unknown> {
  return sql`
    select 'collection_payment:' || number, 'collection_payment', number, ${day}::timestamptz + at * interval '5 milliseconds',
      kind, reference, sign * (10000 + at)
    from generate_series(${first}::integer, ${last}::integer) at
    cross join lateral (select 'C261101000000' || merchant_lane(${merchantId}::bigint) || lpad(at::text, 6, '0') as number) numbers
    cross join (values ('clearing', 'CN_BANK', -1), ('fees', '', 1)) leg (kind, reference, sign)`;
}
