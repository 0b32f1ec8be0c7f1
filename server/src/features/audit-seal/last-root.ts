import type { Tx } from '#db/database.ts';
import { listSeals, readRoot } from './audit-seal.sql.ts';
import type { Outside } from './outside.ts';
import { hashOf, type Root, SealError } from './root.rules.ts';

/**
 * Throws {@link SealError} unless a root was made with APP_KEY, or the key before it, and is still as it was made, with its seals.
 * An HMAC alone proves little: somebody who owns the database can copy that of an earlier root.
 */
export async function proveRoot(tx: Tx, root: Root, outside: Outside): Promise<void> {
  const { number, previousNumber } = root;
  if (!outside.isOurs(root))
    throw new SealError(`Root ${number} of the audit trail was not made with this APP_KEY.`);
  const previous = previousNumber === null ? undefined : await readRoot(tx, previousNumber);
  const seals = await listSeals(tx, number, number);
  const areOfRoot = seals.every(({ fromId, toId }) => fromId === root.fromId && toId === root.toId);
  if (!(areOfRoot && hashOf({ ...root, previous }, seals).equals(root.sha256)))
    throw new SealError(`Root ${number} of the audit trail, or one of its seals, was altered.`);
}
