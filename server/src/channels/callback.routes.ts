import type { FastifyInstance } from 'fastify';
import { Refusal } from '#domain/refusal.ts';
import { withRawBody } from '#http/server.ts';
import { noteOrder } from '#observability/tracing/calls.ts';
import type { ChannelAdapter, PaymentReport, PayoutReport } from './channel.ts';

export interface ChannelCallbackOptions {
  /** Finds the adapter of a channel; undefined for a channel that does not exist. */
  adapterOf: (channel: string) => Promise<ChannelAdapter | undefined>;
  onPayment: (report: PaymentReport) => Promise<void>;
  onPayout: (report: PayoutReport) => Promise<void>;
}

/**
 * Receives reports from channels: verifies the signature, and replies 200 once the report is stored. Throws
 * `not_found` or `signature_invalid`.
 */
export async function channelCallbackRoutes(
  app: FastifyInstance,
  options: ChannelCallbackOptions,
): Promise<void> {
  await withRawBody(app, (scope) => {
    scope.post<{ Params: { channel: string } }>('/api/channels/:channel/callback', async (request) => {
      const adapter = await options.adapterOf(request.params.channel);
      if (!adapter) throw new Refusal('not_found');
      const event = adapter.readCallback(request.headers, request.rawBody ?? Buffer.alloc(0));
      if (!event) throw new Refusal('signature_invalid');
      noteOrder(request, event.report.reference);
      if (event.kind === 'payment') await options.onPayment(event.report);
      else await options.onPayout(event.report);
      return { received: true };
    });
  });
}
