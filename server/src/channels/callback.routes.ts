import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from '#domain/refusal.ts';
import { withRawBody } from '#http/server.ts';
import { noteOrder } from '#observability/tracing/calls.ts';
import type { ChannelAdapter, ChannelEvent, PaymentReport, PayoutReport } from './channel.ts';

export interface ChannelCallbackOptions {
  /** Finds the adapter of a channel; undefined for a channel that does not exist. */
  adapterOf: (channel: string) => Promise<ChannelAdapter | undefined>;
  /** Finds the adapter that serves a channel in test mode, likewise. */
  testAdapterOf: (channel: string) => Promise<ChannelAdapter | undefined>;
  isTestOrder: (orders: 'collection' | 'payout', number: string) => Promise<boolean>;
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
      const event = await readEvent(options, request.params.channel, request);
      noteOrder(request, event.report.reference);
      if (event.kind === 'payment') await options.onPayment(event.report);
      else await options.onPayout(event.report);
      return { received: true };
    });
  });
}

/**
 * Reads the event of a callback. One that only the channel's test adapter has signed counts for test orders alone: the sandbox must not
 * decide about real money. Throws `not_found` for a channel that does not exist, and `signature_invalid`.
 */
async function readEvent(
  { adapterOf, testAdapterOf, isTestOrder }: ChannelCallbackOptions,
  channel: string,
  { headers, rawBody = Buffer.alloc(0) }: FastifyRequest,
): Promise<ChannelEvent> {
  const live = await adapterOf(channel);
  const event = live?.readCallback(headers, rawBody);
  if (event) return event;
  const test = await testAdapterOf(channel);
  if (!live && !test) throw new Refusal('not_found');
  const tried = test === live ? undefined : test?.readCallback(headers, rawBody);
  const orders = tried?.kind === 'payment' ? 'collection' : 'payout';
  if (!tried || !(await isTestOrder(orders, tried.report.reference))) throw new Refusal('signature_invalid');
  return tried;
}
