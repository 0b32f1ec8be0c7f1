import { collectionEndpoints } from '@hengfu/contract/collections';
import { openCollectionEndpoints } from '@hengfu/contract/collections.open';
import { ArchiveReader } from '#archive/archive-reader.ts';
import { feature } from '#http/bind.ts';
import type { FeatureModule, ModuleDeps } from '../module.ts';
import { CollectionJobs, collectionRecurring } from './collections.jobs.ts';
import { CollectionMoves } from './collections.moves.ts';
import { CollectionReading } from './collections.reading.ts';
import { collectionHandlers, openCollectionHandlers } from './collections.routes.ts';
import { CollectionService } from './collections.service.ts';
import { CollectionRefunds } from './refunds/refunds.service.ts';

/** Collections from payers, and their refunds. */
export function collectionsModule({ database, snapshots, adapters, appUrl, archive }: ModuleDeps) {
  const moves = new CollectionMoves(appUrl);
  const collections = new CollectionService(database, moves, adapters);
  const refunds = new CollectionRefunds(database, moves, adapters);
  const collectionReading = new CollectionReading(database, snapshots, new ArchiveReader(archive));
  const jobs = new CollectionJobs(database, collections, moves, adapters);
  return {
    services: { collections, refunds, collectionReading, refundApproval: refunds.approval },
    endpoints: () => [feature(collectionEndpoints, collectionHandlers(collectionReading, appUrl))],
    openEndpoints: () => [
      feature(openCollectionEndpoints, openCollectionHandlers(collections, refunds, appUrl)),
    ],
    tasks: { channels: { ...refunds.tasks, ...jobs.channelTasks }, own: jobs.tasks },
    recurring: collectionRecurring,
  } satisfies FeatureModule;
}
