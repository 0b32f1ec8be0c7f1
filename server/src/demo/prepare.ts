import type { Services } from '#composition/services.ts';
import { migrate } from '#db/migrate.ts';
import { asOwner, refreshStatistics } from '#db/owner.ts';
import { ConfigError } from '../config.ts';
import { withLightTables } from './light-tables.sql.ts';
import { hasMerchants } from './seed.sql.ts';
import { seedDemo } from './seed.ts';
import { emptyDatabase, isSeedHalfDone, noteSeedBegun, noteSeedFinished } from './seed-state.sql.ts';

/**
 * Before anything opens the database: starts over where an earlier start was ended while it wrote demo data. Nobody could
 * use it before that was whole, so nothing else is lost; a database that is not ours alone is left to its owner. A start
 * without demo mode does so, too: the tables may lack indexes and foreign keys.
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

/** Fills an empty installation with demo data, whole or not at all; `days` in tests. */
export async function prepareDemo(
  services: Services,
  ownerUrl: string,
  say: (line: string) => void,
  days?: number,
): Promise<void> {
  if (await services.database.asSystem((tx) => hasMerchants(tx))) return;
  await asOwner(ownerUrl, noteSeedBegun);
  say('First start: writing ninety days of demo data …');
  const startedAt = performance.now();
  await withLightTables(ownerUrl, () => seedDemo(services, days));
  await asOwner(ownerUrl, noteSeedFinished);
  await refreshStatistics(ownerUrl);
  say(`Demo data is there after ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
}
