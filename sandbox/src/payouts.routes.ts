import type { FastifyInstance, FastifyReply } from 'fastify';
import type { CallbackSender } from './callback-sender.ts';
import { referenceParams } from './fields.ts';
import type { HeldReplies } from './held-replies.ts';
import { payoutOutcomeOf } from './payout-outcomes.ts';
import { type PayoutService, payoutBody } from './payouts.service.ts';
import type { Payout } from './payouts.sql.ts';
import { readJson } from './signed-scope.ts';

/** Dependencies of the payout routes. */
export type PayoutRouteParts = { payouts: PayoutService; sender: CallbackSender; heldReplies: HeldReplies };

/** Registers the service's calls about payouts, under /v1. */
export function registerPayoutRoutes(app: FastifyInstance, parts: PayoutRouteParts): void {
  const { payouts, sender, heldReplies } = parts;

  app.post('/payouts', async (request, reply): Promise<FastifyReply> => {
    const body = readJson(request, payoutBody);
    const { loses, awaitsCallback } = payoutOutcomeOf(BigInt(body.amountMinor));
    if (loses === 'request') return heldReplies.hold(reply);
    const { payout, isNew, callbacks } = payouts.create(body);
    if (isNew && loses === 'reply') return heldReplies.hold(reply);
    if (awaitsCallback) await sender.deliver(callbacks);
    else sender.wake();
    // Always `pending`, whatever its current state: the reply only says that the bank has accepted it.
    return reply
      .code(isNew ? 201 : 200)
      .send({ id: payout.id, reference: payout.reference, status: 'pending' });
  });

  app.get('/payouts/:reference', async ({ params }) => {
    return payoutReply(payouts.find(referenceParams.parse(params).reference));
  });

  app.post('/payouts/:reference/void', async ({ params }) => {
    return payoutReply(payouts.void(referenceParams.parse(params).reference));
  });
}

function payoutReply({ id, reference, status, reason, amountMinor, currency, decidedAt }: Payout) {
  return {
    id,
    reference,
    status,
    ...(reason === null ? {} : { reason }),
    ...(decidedAt === null ? {} : { decidedAt }),
    amountMinor: amountMinor.toString(),
    currency,
  };
}
