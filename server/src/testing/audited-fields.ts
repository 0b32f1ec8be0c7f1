import { auditField } from '@hengfu/contract/audit-fields';
import { sql } from 'kysely';
import type { Database } from '#db/database.ts';
import { nameOfField } from '#features/audit-log/audit-log.rules.ts';

/** Fields whose parts have names of their own, and those that tests make up. */
const others: ReadonlySet<string> = new Set(['csv', 'comparison', 'n', 'topSecret']);

/**
 * Lists the fields that audit rows of a test have recorded and that readers would see without a name in their language, each with its action.
 * None if the test has broken its database.
 */
export async function unnamedFields(database: Database): Promise<string[]> {
  const query = sql<{ action: string; field: string }>`
    select distinct a.action, each.field from audit a cross join lateral (
      select jsonb_object_keys(a.before) as field union select jsonb_object_keys(a.after)) each`;
  const found = await database
    .asSystem(async (tx) => (await query.execute(tx.query)).rows)
    .catch(() => undefined);
  return (found ?? [])
    .filter(({ field }) => !others.has(field) && auditField(nameOfField(field)) === undefined)
    .map(({ action, field }) => `${action}: ${field}`);
}
