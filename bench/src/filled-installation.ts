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
import { addPerson } from './console-session.ts';

/** A installation with one merchant's year in it, and somebody who may read it. */
export interface FilledInstallation extends TestInstallation {
  merchant: KeyedMerchant;
  collections: number;
  /** Minutes that filling it took. */
  filledIn: number;
}

/** Fills a database with a year of one merchant, and opens it as it is in service: durable, with the usual settings. */
export async function openFilledInstallation(collections: number): Promise<FilledInstallation> {
  const folder = await newFolder();
  const filling = await openFastTestInstallation(folder, fillingSettings);
  const [merchant] = await makeMerchants(filling.runtime, 1);
  if (!merchant) throw new Error('no merchant');
  await addPerson(filling.runtime, merchant.id);
  const begunAt = performance.now();
  await loadYear(filling.ownerUrl, merchant.id, collections);
  // Or the product would begin its nightly proof beside what is measured.
  await filling.runtime.services.database.asSystem((tx) => insertProof(tx, { count: 0, examples: [] }));
  await filling.close({ isKept: true });
  const filledIn = (performance.now() - begunAt) / 60_000;
  return { ...(await openTestInstallation(folder)), merchant, collections, filledIn };
}
