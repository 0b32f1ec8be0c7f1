import type { ChannelCode } from '@hengfu/contract/channels';
import type { StatementMapping } from '@hengfu/contract/staff/statement-mapping';
import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';

/** Reads how the statements of a channel are read. */
export async function findMapping(tx: Tx, channel: ChannelCode): Promise<StatementMapping | undefined> {
  const row = await tx.query
    .selectFrom('reconciliation_mapping')
    .select([
      'zone',
      sql<string>`to_char(day_ends, 'HH24:MI')`.as('dayEnds'),
      sql<StatementMapping['csv']>`csv`.as('csv'),
    ])
    .where('channel', '=', channel)
    .executeTakeFirst();
  return row;
}

/** Saves how the statements of a channel are read. */
export async function saveMapping(
  tx: Tx,
  channel: ChannelCode,
  { zone, dayEnds, csv }: StatementMapping,
  staffId: bigint,
): Promise<void> {
  const values = {
    zone,
    day_ends: dayEnds,
    csv: csv && JSON.stringify(csv),
    changed_by: staffId,
    changed_at: sql<Date>`now()`,
  };
  await tx.query
    .insertInto('reconciliation_mapping')
    .values({ channel, ...values })
    .onConflict((conflict) => conflict.column('channel').doUpdateSet(values))
    .execute();
}
