import { sql } from 'kysely';

/** The name of the merchant's look `b`, if it has one. That of a test merchant `m` says so; its registered name does by itself. */
export const ownBrandName = sql<
  string | null
>`case when m.mode = 'test' and b.name is not null then b.name || ' (TEST)' else b.name end`;
