import type { FastifyInstance, FastifyReply } from 'fastify';
import type { CallbackSender } from './callback-sender.ts';
import { acceptedReply, collectionReply, createCollectionBody } from './collections.schemas.ts';
import type { CollectionService } from './collections.service.ts';
import { referenceParams } from './fields.ts';
import type { HeldReplies } from './held-replies.ts';
import { outcomeOf } from './outcomes.ts';
import { readJson } from './signed-scope.ts';

/** Dependencies of the collection routes. */
export type CollectionRouteParts = {
  collections: CollectionService;
  sender: CallbackSender;
  heldReplies: HeldReplies;
  /** Returns the URL of an order's payment page. */
  payUrl: (id: string) => string;
};

/** Registers the service's calls about collections, under /v1. */
export function registerCollectionRoutes(app: FastifyInstance, parts: CollectionRouteParts): void {
  const { collections, sender, heldReplies, payUrl } = parts;

  app.post('/collections', async (request, reply): Promise<FastifyReply> => {
    const { collection, isNew, callbacks } = collections.create(readJson(request, createCollectionBody));
    if (isNew && outcomeOf(collection.amountMinor).dropsCreateReply) return heldReplies.hold(reply);
    await sender.deliver(callbacks);
    return reply.code(isNew ? 201 : 200).send(acceptedReply(collection, payUrl(collection.id)));
  });

  app.get('/collections/:reference', async ({ params }) => {
    return collectionReply(collections.findByReference(referenceParams.parse(params).reference));
  });

  app.post('/collections/:reference/cancel', async ({ params }) => {
    return collectionReply(collections.cancel(referenceParams.parse(params).reference));
  });

  app.post('/collections/:reference/confirm', async ({ params }) => {
    const collection = collections.findByReference(referenceParams.parse(params).reference);
    return collectionReply(collections.confirm(collection));
  });

  app.post('/collections/:reference/decline', async ({ params }) => {
    const collection = collections.findByReference(referenceParams.parse(params).reference);
    return collectionReply(collections.decline(collection));
  });
}
