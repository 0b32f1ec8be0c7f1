import { asOwner } from '../owner.ts';

/** Notes in the database that a backup was made, so that its age is known: `madeAt` is the moment whose data it has. */
export async function recordBackup(ownerUrl: string, madeAt: Date): Promise<void> {
  await asOwner(ownerUrl, (client) =>
    client.query('insert into backup_record (made_at) values ($1)', [madeAt]),
  );
}
