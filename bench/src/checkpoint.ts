import { join } from 'node:path';
import { readAccess, superuserUrl } from '@hengfu/server/db/embedded/access.ts';
import { asOwner } from '@hengfu/server/db/owner.ts';
import type { TestInstallation } from '@hengfu/server/testing/test-installation.ts';

/** Has the installation's PostgreSQL write all changed pages, so that its next checkpoint is minutes away and old WAL segments are used again. */
export async function checkpoint({ folder }: TestInstallation): Promise<void> {
  const access = readAccess(join(folder, 'postgres'));
  if (!access) throw new Error(`no access to the cluster in ${folder} is stored`);
  await asOwner(superuserUrl(access), (client) => client.query('checkpoint'));
}
