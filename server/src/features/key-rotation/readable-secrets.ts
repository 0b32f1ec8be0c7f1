import type { Database } from '#db/database.ts';
import type { Secrets } from '#security/secrets.ts';
import { readSealed, sealedColumns, staffSealedColumns } from './key-rotation.sql.ts';

/** Secrets that are read at a time. The right key reads the first one, unless that was lost in an earlier change of the key. */
const readTogether = 500;

/**
 * Whether there are secrets, and the keys read none of them: the keys are those of another database. A single secret that they read is enough,
 * because others may have been lost before. `door` says which secrets the database may show.
 */
export async function readsNone(
  database: Database,
  secrets: Secrets,
  door: 'application' | 'staff',
): Promise<boolean> {
  let tried = 0;
  for (const column of door === 'staff' ? staffSealedColumns : sealedColumns) {
    for (let after: string | undefined; ; ) {
      const rows = await database.asSystem((tx) => readSealed(tx, column, after, readTogether));
      if (rows.some(({ sealed }) => secrets.canDecrypt(sealed))) return false;
      tried += rows.length;
      after = rows.at(-1)?.key;
      if (after === undefined) break;
    }
  }
  return tried > 0;
}
