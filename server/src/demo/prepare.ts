import type { Services } from '#composition/services.ts';
import { migrate } from '#db/migrate.ts';
import { makeMonths } from '#db/months.ts';
import { asOwner, refreshStatistics } from '#db/owner.ts';
import { ConfigError } from '#settings/config-error.ts';
import { moveShopEndpoints } from './callbacks.sql.ts';
import type { DemoPlace } from './callbacks.ts';
import { hasMerchants } from './seed.sql.ts';
import { emptyDatabase, isSeedPartial, markSeedFinished, markSeedStarted } from './seed-state.sql.ts';

/**
 * Empties and migrates the database if an earlier start was interrupted while it wrote demo data. Call it
 * before anything opens the database, also without demo mode: the tables may lack indexes, constraints and triggers.
 * The product was never usable in between, so nothing else is lost. Throws {@link ConfigError} for a database
 * that is not embedded.
 */
export async function resetPartialDemo(ownerUrl: string, isEmbedded: boolean): Promise<void> {
  if (!(await asOwner(ownerUrl, isSeedPartial))) return;
  if (!isEmbedded) {
    throw new ConfigError(
      'The demo data in this database is incomplete. Empty the database, or set DATABASE_URL to another one.',
    );
  }
  await asOwner(ownerUrl, emptyDatabase);
  await migrate(ownerUrl);
}

interface DemoOptions extends DemoPlace {
  ownerUrl: string;
  say: (line: string) => void;
  /** For tests. */
  days?: number;
}

/** Fills an empty installation with demo data, and leads callbacks to the sandbox of this start. An interrupted run is undone by {@link resetPartialDemo}. */
export async function prepareDemo(
  services: Services,
  { ownerUrl, say, days, ...place }: DemoOptions,
): Promise<void> {
  if (await services.database.asSystem((tx) => hasMerchants(tx)))
    return services.database.asSystem((tx) => moveShopEndpoints(tx, place.sandbox.url));
  // Imported only here: most starts find their data.
  const { firstDay, seedDemo } = await import('./seed.ts');
  await asOwner(ownerUrl, markSeedStarted);
  say('First start: writing ninety days of demo data …');
  const startedAt = performance.now();
  await asOwner(ownerUrl, (client) => makeMonths(client, firstDay(days), new Date()));
  await seedDemo(services, { ownerUrl, days, ...place });
  await asOwner(ownerUrl, markSeedFinished);
  await refreshStatistics(ownerUrl);
  say(`Demo data written in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
}
