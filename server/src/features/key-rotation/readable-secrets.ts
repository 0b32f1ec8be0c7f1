import type { Database } from '#db/database.ts';
import type { Secrets } from '#security/secrets.ts';
import { readSealed, sealedColumns, staffSealedColumns } from './key-rotation.sql.ts';

/** Secrets of a column that are tried. The right key reads the first one, unless that was lost in an earlier change of the key. */
const triedPerColumn = 100;

/**
 * Whether there are secrets, and the keys read none of those that are tried: the keys are those of another database. A single secret that
 * they read is enough, because others may have been lost before. `door` says which secrets the database may show.
 */
export async function readsNone(
  database: Database,
  secrets: Secrets,
  door: 'application' | 'staff',
): Promise<boolean> {
  let tried = 0;
  for (const column of door === 'staff' ? staffSealedColumns : sealedColumns) {
    const values = await database.asSystem((tx) => readSealed(tx, column, triedPerColumn));
    if (values.some((sealed) => secrets.canDecrypt(sealed))) return false;
    tried += values.length;
  }
  return tried > 0;
}
