import { maxViews, type SavedView } from '@hengfu/contract/saved-views';
import { sql } from 'kysely';
import type { MerchantTx } from '#db/database.ts';
import { holdCount } from '#domain/quota.sql.ts';

type Row = Omit<SavedView, 'id' | 'filters'> & { id: bigint; filters: unknown };

const shown = ['id', 'list', 'name', 'filters', 'columns'] as const;

/** Lists a person's views by name. */
export function listViews(tx: MerchantTx, userId: bigint): Promise<Row[]> {
  return tx.prepared
    .selectFrom('saved_view')
    .select(shown)
    .where('merchant_id', '=', tx.merchantId)
    .where('user_id', '=', userId)
    .orderBy('name')
    .execute();
}

/** Saves a view, replacing the one with its name; undefined if the person has the maximum number of views. */
export async function saveView(
  tx: MerchantTx,
  userId: bigint,
  { filters, ...view }: Omit<SavedView, 'id'>,
): Promise<Row | undefined> {
  await holdCount(tx, `views ${userId} ${view.list}`);
  const kept = { filters: JSON.stringify(filters), columns: view.columns };
  const row = await tx.query
    .insertInto('saved_view')
    .columns(['merchant_id', 'user_id', 'list', 'name', 'filters', 'columns'])
    .expression(
      sql`select ${tx.merchantId}::bigint, ${userId}::bigint, ${view.list}, ${view.name}, ${kept.filters}::jsonb,
        ${kept.columns}::text[]
        where (select count(*) from saved_view where user_id = ${userId} and list = ${view.list}
          and name <> ${view.name}) < ${maxViews}`,
    )
    .onConflict((conflict) =>
      conflict
        .columns(['merchant_id', 'user_id', 'list', 'name'])
        .doUpdateSet({ ...kept, saved_at: sql<Date>`now()` }),
    )
    .returning(shown)
    .executeTakeFirst();
  return row;
}

/** Deletes a view; false if the person has no view with this id. */
export async function deleteView(tx: MerchantTx, userId: bigint, id: bigint): Promise<boolean> {
  const { numDeletedRows } = await tx.query
    .deleteFrom('saved_view')
    .where('merchant_id', '=', tx.merchantId)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
