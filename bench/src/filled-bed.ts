import { insertProof } from '@hengfu/server/features/ledger-proof/ledger-proof.sql.ts';
import { type Bed, newFolder, openBed, openFillingBed } from '@hengfu/server/testing/bed.ts';
import { fillingSettings } from '@hengfu/server/testing/bulk.sql.ts';
import { type KeyedMerchant, makeMerchants } from '@hengfu/server/testing/keyed-merchants.ts';
import { loadYear } from '@hengfu/server/testing/loader.sql.ts';
import { addPerson } from './console-session.ts';

/** A bed with one merchant's year in it, and somebody who may read it. */
export interface FilledBed extends Bed {
  merchant: KeyedMerchant;
  collections: number;
  /** Minutes that filling it took. */
  filledIn: number;
}

/** Fills a database with a year of one merchant, and opens it as it is in service: durable, with the usual settings. */
export async function openFilledBed(collections: number): Promise<FilledBed> {
  const folder = await newFolder();
  const filling = await openFillingBed(folder, fillingSettings);
  const [merchant] = await makeMerchants(filling.runtime, 1);
  if (!merchant) throw new Error('no merchant');
  await addPerson(filling.runtime, merchant.id);
  const begunAt = performance.now();
  await loadYear(filling.ownerUrl, merchant.id, collections);
  // Or the product would begin its nightly proof beside what is measured.
  await filling.runtime.services.database.asSystem((tx) => insertProof(tx, { count: 0, examples: [] }));
  await filling.close({ isKept: true });
  const filledIn = (performance.now() - begunAt) / 60_000;
  return { ...(await openBed(folder)), merchant, collections, filledIn };
}
