import type { Database } from '#db/database.ts';
import { writeNotice } from '#domain/notices.sql.ts';
import { type DueWarning, listDueWarnings, recordWarning } from './key-warnings.sql.ts';

export const warnTask = 'access-keys.warn';
const atOnce = 100;

/** Notifies merchants of keys that expire soon or have expired, each time once. */
export async function warnOfExpiry(database: Database): Promise<void> {
  for (;;) {
    const due = await database.asSystem((tx) => listDueWarnings(tx, atOnce));
    for (const warning of due) await warn(database, warning);
    if (due.length < atOnce) return;
  }
}

async function warn(
  database: Database,
  { merchantId, keyId, name, endsAt, days }: DueWarning,
): Promise<void> {
  await database.asSystemFor(merchantId, async (tx) => {
    // Another worker may have sent it, or somebody has changed the key since it was listed.
    if (!(await recordWarning(tx, { keyId, days }))) return;
    await writeNotice(tx, {
      merchantId,
      kind: days === 0 ? 'accessKeyExpired' : 'accessKeyExpires',
      subject: keyId,
      facts: { endsAt: endsAt.toISOString(), ...(name !== null && { name }) },
    });
  });
}
