import { migrate } from '#db/migrate.ts';
import { asOwner, refreshStatistics } from '#db/owner.ts';
import { ConfigError } from '../config.ts';
import type { Services } from '../services.ts';
import { hasMerchants } from './seed.sql.ts';
import { seedDemo } from './seed.ts';
import { emptyDatabase, isSeedHalfDone, noteSeedBegun, noteSeedFinished } from './seed-state.sql.ts';

/**
 * Before anything opens the database: starts over where an earlier start was ended while it wrote demo data. Nobody could
 * use it before that was whole, so nothing else is lost; a database that is not ours alone is left to its owner.
 */
export async function startOverHalfDemo(ownerUrl: string, isEmbedded: boolean): Promise<void> {
  if (!(await asOwner(ownerUrl, isSeedHalfDone))) return;
  if (!isEmbedded) {
    throw new ConfigError(
      'The demo data in this database was cut short. Empty it, or name another: DATABASE_URL',
    );
  }
  await asOwner(ownerUrl, emptyDatabase);
  await migrate(ownerUrl);
}

/** Fills an empty installation with demo data, whole or not at all. */
export async function prepareDemo(
  services: Services,
  ownerUrl: string,
  say: (line: string) => void,
): Promise<void> {
  if (await services.database.asSystem((tx) => hasMerchants(tx))) return;
  await asOwner(ownerUrl, noteSeedBegun);
  await seedDemo(services, say);
  await asOwner(ownerUrl, noteSeedFinished);
  await refreshStatistics(ownerUrl);
}
