import { insertProof } from '@hengfu/server/features/ledger-proof/ledger-proof.sql.ts';
import { fillingSettings } from '@hengfu/server/testing/bulk.sql.ts';
import { type KeyedMerchant, makeMerchants } from '@hengfu/server/testing/keyed-merchants.ts';
import { loadYear } from '@hengfu/server/testing/loader.sql.ts';
import {
  newFolder,
  openFastTestInstallation,
  openTestInstallation,
  type TestInstallation,
} from '@hengfu/server/testing/test-installation.ts';
import { addUser } from './console-session.ts';

/** An installation with one merchant's orders of a year or more, and a user who may read them. */
export interface FilledInstallation extends TestInstallation {
  merchant: KeyedMerchant;
  collections: number;
  fillMinutes: number;
}

/** Fills a database with a merchant's orders and reopens it as in production: durable, default settings. */
export async function openFilledInstallation(
  collections: number,
  days?: number,
): Promise<FilledInstallation> {
  const folder = await newFolder();
  const filling = await openFastTestInstallation(folder, fillingSettings);
  const [merchant] = await makeMerchants(filling.runtime, 1);
  if (!merchant) throw new Error('the merchant was not created');
  await addUser(filling.runtime, merchant.id);
  const startedAt = performance.now();
  await loadYear(filling.ownerUrl, merchant.id, collections, days);
  // Without it, the product would start its nightly verification during the measurement.
  await filling.runtime.services.database.asSystem((tx) => insertProof(tx, { count: 0, examples: [] }));
  await filling.close({ isKept: true });
  const fillMinutes = (performance.now() - startedAt) / 60_000;
  return { ...(await openTestInstallation(folder)), merchant, collections, fillMinutes };
}
