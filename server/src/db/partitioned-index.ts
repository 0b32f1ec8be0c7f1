import type pg from 'pg';

/** `create index concurrently <name> on <table> <definition>` */
const concurrentIndex =
  /^\s*create\s+(unique\s+)?index\s+concurrently\s+(?:if\s+not\s+exists\s+)?(\w+)\s+on\s+(\w+)\s+([^;]+?)\s*;?\s*$/i;

/**
 * Builds an index of a partitioned table under concurrent writes, which PostgreSQL does only partition by partition: an index
 * of the table alone, one of each partition, and each attached to it. Returns false for any other statement. Can be repeated
 * after an interruption.
 */
export async function indexPartitions(client: pg.Client, statement: string): Promise<boolean> {
  const found = concurrentIndex.exec(statement);
  if (!found) return false;
  const [, unique = '', name = '', table = '', definition = ''] = found;
  const { rowCount: isPartitioned } = await client.query(
    `select from pg_class where oid = to_regclass($1) and relkind = 'p'`,
    [table],
  );
  if (!isPartitioned) return false;
  const { rows: parts } = await client.query<{ part: string; index: string }>(
    `select i.inhrelid::regclass::text as part, format('%I.%I', n.nspname, left(c.relname, 30) || '_' || left($2, 32)) as index
    from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_namespace n on n.oid = c.relnamespace
    where i.inhparent = to_regclass($1) and c.relkind in ('r', 'p')`,
    [table, name],
  );
  await client.query(`create ${unique}index if not exists ${name} on only ${table} ${definition}`);
  for (const { part, index } of parts) {
    // A partition that was made in the meantime has its index already.
    const { rowCount } = await client.query(
      `select from pg_index x join pg_inherits i on i.inhrelid = x.indexrelid
      where x.indrelid = $1::regclass and i.inhparent = $2::regclass`,
      [part, name],
    );
    if (rowCount !== 0) continue;
    await client.query(`drop index concurrently if exists ${index}`);
    await client.query(
      `create ${unique}index concurrently ${index.replace(/^.*\./, '')} on ${part} ${definition}`,
    );
    await client.query(`alter index ${name} attach partition ${index}`);
  }
  return true;
}
