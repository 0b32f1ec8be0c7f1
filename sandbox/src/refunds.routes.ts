import type { FastifyInstance } from 'fastify';
import { referenceParams } from './fields.ts';
import { type RefundService, type RefundState, refundBody } from './refunds.service.ts';
import { readJson } from './signed-scope.ts';

/** Registers the service's calls about refunds, under /v1. */
export function registerRefundRoutes(app: FastifyInstance, refunds: RefundService): void {
  app.post('/refunds', async (request) => refundReply(refunds.create(readJson(request, refundBody))));

  app.get('/refunds/:reference', async ({ params }) => {
    return refundReply(refunds.find(referenceParams.parse(params).reference));
  });

  app.post('/refunds/:reference/void', async ({ params }) => {
    return refundReply(refunds.void(referenceParams.parse(params).reference));
  });
}

function refundReply({ id, reference, status, reason }: RefundState) {
  return { ...(id === null ? {} : { id }), reference, status, ...(reason === null ? {} : { reason }) };
}
