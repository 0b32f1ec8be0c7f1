import type { Database } from '#db/database.ts';
import type { Secrets } from '#security/secrets.ts';
import { readSealed, sealedColumns, staffSealedColumns } from './key-rotation.sql.ts';

/** Secrets that are read at a time. The right key reads the first one, unless that was lost in an earlier change of the key. */
const readTogether = 500;

/** Tables whose secrets last for minutes: a process with another key may just have written them. */
const shortLived: readonly string[] = [
  'staff_session',
  'staff_handover',
  'staff_code_handover',
  'two_factor_binding',
];

/** The secrets that keys can read: `none` of those that exist, at least `some`, or `empty` if none exists. */
export type Readable = 'none' | 'some' | 'empty';

/** Tries the secrets that a door of the database shows, until one can be read: others may have been lost before. */
export async function readableSecrets(
  database: Database,
  secrets: Secrets,
  door: 'application' | 'staff',
): Promise<Readable> {
  let tried = 0;
  const columns = door === 'staff' ? staffSealedColumns : sealedColumns;
  for (const column of columns.filter(({ table }) => !shortLived.includes(table))) {
    for (let after: string | undefined; ; ) {
      const rows = await database.asSystem((tx) => readSealed(tx, column, after, readTogether));
      if (rows.some(({ sealed }) => secrets.canDecrypt(sealed))) return 'some';
      tried += rows.length;
      after = rows.at(-1)?.key;
      if (after === undefined) break;
    }
  }
  return tried > 0 ? 'none' : 'empty';
}
