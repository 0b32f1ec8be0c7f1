import { auditField } from '@hengfu/contract/audit-fields';
import { sql } from 'kysely';
import type { Database } from '#db/database.ts';
import { isDatabaseAway } from '#db/pool.ts';
import { nameOfField } from '#features/audit-log/audit-log.rules.ts';

/** Fields whose parts have names of their own, and those that tests make up. */
const others: ReadonlySet<string> = new Set(['csv', 'comparison', 'n', 'topSecret']);

/**
 * Lists the fields that audit rows of a test have recorded and that readers would see without a name in their language, each with its action.
 * None if the test has taken its database away.
 */
export async function unnamedFields(database: Database): Promise<string[]> {
  const query = sql<{ action: string; field: string }>`
    select distinct a.action, each.field from audit a cross join lateral (
      select jsonb_object_keys(value) as field from unnest(array[a.before, a.after]) value where jsonb_typeof(value) = 'object') each`;
  const found = await database
    .asSystem(async (tx) => (await query.execute(tx.query)).rows)
    .catch((error: unknown) => {
      if (isDatabaseAway(error)) return [];
      throw error;
    });
  return found
    .filter(({ field }) => !others.has(field) && auditField(nameOfField(field)) === undefined)
    .map(({ action, field }) => `${action}: ${field}`);
}
