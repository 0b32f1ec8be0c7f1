import { type Currency, formatAmount } from '@hengfu/contract/money';
import type { OrderPosting } from '@hengfu/contract/staff/orders';
import type { placeKinds } from '@hengfu/contract/staff/today';
import { sql } from 'kysely';
import type { MerchantTx } from '#db/database.ts';
import { historyStart } from '#db/months.ts';

/** A posting of an order. Its entries are missing once their month is archived. */
export interface Posting {
  type: string;
  at: Date;
  entries: {
    account: (typeof placeKinds)[number];
    reference: string;
    currency: Currency;
    amountMinor: bigint;
  }[];
}

/** Lists the postings of an order, oldest first. */
export async function listPostings(
  tx: MerchantTx,
  { tradeNo, createdAt }: { tradeNo: string; createdAt: Date },
): Promise<Posting[]> {
  const { rows } = await sql<{
    id: bigint;
    type: string;
    at: Date;
    account: Posting['entries'][number]['account'] | null;
    reference: string;
    currency: Currency;
    amountMinor: bigint;
  }>`
    select t.id, t.type, t.created_at as at, a.kind as account, a.reference, a.currency, e.amount_minor as "amountMinor"
    from ledger_transfer t
    left join ledger_entry e on e.merchant_id = t.merchant_id and e.transfer_id = t.id
      and e.created_at >= ${historyStart(createdAt)}::timestamptz
    left join ledger_account a on a.merchant_id = e.merchant_id and a.id = e.account_id
    where t.merchant_id = ${tx.merchantId} and t.subject_no = ${tradeNo}
    order by t.id, a.id`.execute(tx.query);
  return [...Map.groupBy(rows, ({ id }) => id).values()].flatMap((legs) => {
    const [first] = legs;
    if (!first) return [];
    const entries = legs.flatMap(({ account, reference, currency, amountMinor }) =>
      account === null ? [] : [{ account, reference, currency, amountMinor }],
    );
    return [{ type: first.type, at: first.at, entries }];
  });
}

/** Maps the postings of an order to the form that our staff read. */
export function toPostings(postings: readonly Posting[], currency: Currency): OrderPosting[] {
  return postings.map(({ type, at, entries }) => ({
    type,
    at: at.toISOString(),
    entries: entries.map(({ account, reference, amountMinor }) => ({
      account,
      reference,
      amount: formatAmount(amountMinor, currency),
    })),
  }));
}
