import { insertProof } from '@hengfu/server/features/ledger-proof/ledger-proof.sql.ts';
import { fillingSettings } from '@hengfu/server/testing/bulk.sql.ts';
import { type KeyedMerchant, makeMerchants } from '@hengfu/server/testing/keyed-merchants.ts';
import { loadYear } from '@hengfu/server/testing/loader.sql.ts';
import { fillRequestLog } from '@hengfu/server/testing/many-calls.ts';
import {
  newFolder,
  openFastTestInstallation,
  openTestInstallation,
  type TestInstallation,
} from '@hengfu/server/testing/test-installation.ts';
import { addUser } from './console-session.ts';

/** Three quarters of a million calls: half a million created orders. */
const loggedCalls = { reads: 250_000, blocks: 12_500 };

/** An installation with one merchant's orders of a year or more, and a user who may read them. */
export interface FilledInstallation extends TestInstallation {
  merchant: KeyedMerchant;
  collections: number;
  fillMinutes: number;
}

/** Has an installation filled without waiting for the disk, and reopens it as in production: durable, default settings. */
export async function fillInstallation<T>(
  fill: (filling: TestInstallation) => Promise<T>,
): Promise<{ installation: TestInstallation; filled: T }> {
  const folder = await newFolder();
  const filling = await openFastTestInstallation(folder, fillingSettings);
  let filled: T;
  try {
    filled = await fill(filling);
    // Without it, the product would start its nightly verification during the measurement.
    await filling.runtime.services.database.asSystem((tx) => insertProof(tx, { count: 0, examples: [] }));
  } catch (error) {
    await filling.close();
    throw error;
  }
  await filling.close({ isKept: true });
  return { installation: await openTestInstallation(folder), filled };
}

/** Fills a database with a merchant's orders and reopens it as in production: durable, default settings. */
export async function openFilledInstallation(
  collections: number,
  days?: number,
): Promise<FilledInstallation> {
  const startedAt = performance.now();
  const { installation, filled: merchant } = await fillInstallation(async (filling) => {
    const [made] = await makeMerchants(filling.runtime, 1);
    if (!made) throw new Error('the merchant was not created');
    await addUser(filling.runtime, made.id);
    await loadYear(filling.ownerUrl, made.id, collections, days);
    await fillRequestLog(filling.runtime.services.database, made.id, loggedCalls);
    return made;
  });
  const fillMinutes = (performance.now() - startedAt) / 60_000;
  return { ...installation, merchant, collections, fillMinutes };
}
