import { asOwner } from './owner.ts';

/** A statement with its parameters. */
export type Step = [text: string, ...values: unknown[]];

/** Statements that drop and restore the indexes, constraints and triggers that slow down or prevent bulk loading. */
export interface Guards {
  off: Step[];
  /** By table, in an order in which all can be restored: indexes, unique constraints, foreign keys. */
  on: { table: string; step: Step }[];
  /** Enables triggers and row-level security again, after everything else. */
  closed: Step[];
}

/**
 * Reads the guards of tables: indexes and constraints except primary keys, triggers, and forced row-level
 * security, which applies to the owner, too. Loading without them is several times as fast. Restoring a
 * constraint checks it against all rows.
 */
export async function guardsOf(ownerUrl: string, tables: readonly string[]): Promise<Guards> {
  return asOwner(ownerUrl, async (client) => {
    const read = async (query: string) =>
      (await client.query<{ name: string; off: string; on: string }>(query, [tables])).rows;
    const indexes = await read(indexesQuery);
    const constraints = await read(constraintsQuery);
    const { rows: forced } = await client.query<{ name: string }>(
      `select oid::regclass::text as name from pg_class where relforcerowsecurity`,
    );
    const alter = (names: readonly string[], change: string) =>
      names.map((name): Step => [`alter table ${name} ${change}`]);
    const secured = forced.map(({ name }) => name);
    // Disabling the triggers of a partitioned table leaves the statement triggers of its partitions enabled.
    const { rows: parts } = await client.query<{ name: string }>(
      `select p.relid::text as name from unnest($1::text[]) t (name), pg_partition_tree(t.name) p where p.level > 0`,
      [tables],
    );
    const triggered = [...tables, ...parts.map(({ name }) => name)];
    return {
      off: [
        ...alter(secured, 'no force row level security'),
        ...alter(triggered, 'disable trigger user'),
        ...[...constraints.toReversed(), ...indexes].map(({ off }): Step => [off]),
      ],
      on: [...indexes, ...constraints].map(({ name, on }) => ({ table: name, step: [on] })),
      closed: [...alter(triggered, 'enable trigger user'), ...alter(secured, 'force row level security')],
    };
  });
}

/** SQL of the statement that creates an index, which for a partitioned table would leave out its partitions. */
export const indexDefinition = (index: string) => `replace(pg_get_indexdef(${index}), ' ON ONLY ', ' ON ')`;

const indexesQuery = `
  select t.name, 'drop index ' || i.indexrelid::regclass as off, ${indexDefinition('i.indexrelid')} as on
  from unnest($1::text[]) t (name) join pg_index i on i.indrelid = t.name::regclass
  where not exists (select from pg_constraint c where c.conindid = i.indexrelid and c.contype in ('u', 'p'))
  order by i.indexrelid`;

/** Unique constraints come before foreign keys. */
const constraintsQuery = `
  select t.name, format('alter table %s drop constraint %I', t.name, c.conname) as off,
    format('alter table %s add constraint %I %s', t.name, c.conname, pg_get_constraintdef(c.oid)) as on
  from unnest($1::text[]) t (name) join pg_constraint c on c.conrelid = t.name::regclass
  where c.contype in ('u', 'f') order by c.contype desc, c.oid`;
