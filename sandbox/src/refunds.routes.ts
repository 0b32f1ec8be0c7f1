import type { FastifyInstance } from 'fastify';
import { referenceParams } from './fields.ts';
import { type RefundService, refundBody } from './refunds.service.ts';
import type { Refund } from './refunds.sql.ts';
import { readJson } from './signed-scope.ts';

/** Registers the service's calls about refunds, under /v1. */
export function registerRefundRoutes(app: FastifyInstance, refunds: RefundService): void {
  app.post('/refunds', async (request) => refundReply(refunds.create(readJson(request, refundBody))));

  app.get('/refunds/:reference', async ({ params }) => {
    return refundReply(refunds.find(referenceParams.parse(params).reference));
  });
}

function refundReply({ reference, status, reason }: Refund) {
  return { reference, status, ...(reason === null ? {} : { reason }) };
}
