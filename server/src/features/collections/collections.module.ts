import { collectionEndpoints } from '@hengfu/contract/collections';
import { collectionByHandEndpoints } from '@hengfu/contract/collections.by-hand';
import { openCollectionEndpoints } from '@hengfu/contract/collections.open';
import { refundEndpoints } from '@hengfu/contract/refunds';
import { openRefundEndpoints } from '@hengfu/contract/refunds.open';
import { ArchiveReader } from '#archive/archive-reader.ts';
import type { Authorize } from '#domain/caller.ts';
import { feature } from '#http/bind.ts';
import type { FeatureModule, ModuleDeps } from '../module.ts';
import { collectionByHandHandlers } from './by-hand/collections-by-hand.routes.ts';
import { CollectionsByHand } from './by-hand/collections-by-hand.service.ts';
import { LostChoices } from './cases/lost-choices.ts';
import { CollectionJobs, collectionRecurring } from './collections.jobs.ts';
import { CollectionMoves } from './collections.moves.ts';
import { CollectionReading } from './collections.reading.ts';
import { collectionHandlers, openCollectionHandlers } from './collections.routes.ts';
import { CollectionService } from './collections.service.ts';
import { LateReturns, lateReturnsRecurring } from './refunds/late-returns.ts';
import { refundApproval } from './refunds/refunds.approval.ts';
import { RefundBooking } from './refunds/refunds.booking.ts';
import { RefundDispatch } from './refunds/refunds.dispatch.ts';
import { RefundReading } from './refunds/refunds.reading.ts';
import { openRefundHandlers, refundHandlers } from './refunds/refunds.routes.ts';
import { CollectionRefunds } from './refunds/refunds.service.ts';

/** Collections from payers, and their refunds. */
export function collectionsModule(
  { database, snapshots, adapters, appUrl, archive, log }: ModuleDeps,
  authorize: Authorize,
) {
  const moves = new CollectionMoves(appUrl);
  const booking = new RefundBooking(moves);
  const refunds = new CollectionRefunds(database, booking, authorize);
  const collections = new CollectionService({
    database,
    moves,
    adapters,
    returnLate: (tx, order) => refunds.returnLate(tx, order),
    onUnbooked: (report) => log.warn(report, 'a channel’s report about a collection was not booked'),
  });
  const dispatch = new RefundDispatch(database, booking, adapters);
  const lateReturns = new LateReturns(database, booking);
  const refundReading = new RefundReading(database);
  const byHand = new CollectionsByHand(database, collections);
  const collectionReading = new CollectionReading(database, snapshots, new ArchiveReader(archive));
  const jobs = new CollectionJobs(database, collections, moves, adapters);
  return {
    services: {
      collections,
      lostChoices: new LostChoices(database, collections, adapters),
      refunds,
      refundDispatch: dispatch,
      lateReturns,
      collectionReading,
      refundApproval: refundApproval(booking),
    },
    endpoints: () => [
      feature(collectionEndpoints, collectionHandlers(collectionReading, appUrl)),
      feature(collectionByHandEndpoints, collectionByHandHandlers(byHand, appUrl)),
      feature(refundEndpoints, refundHandlers(refunds, refundReading)),
    ],
    openEndpoints: () => [
      feature(
        openCollectionEndpoints,
        openCollectionHandlers({ collections, collectionReading, refunds }, appUrl),
      ),
      feature(openRefundEndpoints, openRefundHandlers(refunds, refundReading)),
    ],
    tasks: {
      channels: { ...dispatch.tasks, ...jobs.channelTasks },
      own: { ...jobs.tasks, ...lateReturns.tasks },
    },
    recurring: [...collectionRecurring, ...lateReturnsRecurring],
  } satisfies FeatureModule;
}
