import type { LinkState, PaymentLinkQuery } from '@hengfu/contract/payment-links';
import { type RawBuilder, sql } from 'kysely';
import type { MerchantTx } from '#db/database.ts';
import { type Page, readPage } from '#domain/list.sql.ts';
import { any, type ListSource } from '#domain/list-source.sql.ts';
import { linkColumns, type PaymentLink, type PaymentLinkSqlRow, toLink } from './payment-links.sql.ts';

const isUsedUp = sql`coalesce(l.paid_orders >= l.max_uses, false)`;
const isExpired = sql`coalesce(l.expires_at <= now(), false)`;

/** The condition of each state, as {@link stateOf} decides it. */
const states: Readonly<Record<LinkState, RawBuilder<unknown>>> = {
  usedUp: isUsedUp,
  expired: sql`not ${isUsedUp} and ${isExpired}`,
  off: sql`not ${isUsedUp} and not ${isExpired} and not l.is_on`,
  on: sql`not ${isUsedUp} and not ${isExpired} and l.is_on`,
};

/** Builds the list source of payment links; `sum` is that of what was paid. A quota keeps them few, so that titles need no index. */
export function linkSource(tx: MerchantTx, query: Omit<PaymentLinkQuery, 'limit' | 'cursor'>): ListSource {
  return {
    columns: linkColumns,
    from: sql`payment_link l`,
    orderedBy: sql`l.created_at`,
    id: sql`l.id`,
    sum: sql`l.paid_minor`,
    where: [
      sql`l.merchant_id = ${tx.merchantId}`,
      query.title === undefined ? undefined : sql`position(lower(${query.title}) in lower(l.title)) > 0`,
      any(query.state?.map((state) => sql`(${states[state]})`)),
    ],
  };
}

/** Reads a page of the merchant's payment links. */
export async function listLinks(tx: MerchantTx, query: PaymentLinkQuery): Promise<Page<PaymentLink>> {
  const page = await readPage<PaymentLinkSqlRow>(tx, linkSource(tx, query), query);
  return { ...page, rows: page.rows.map(toLink) };
}
