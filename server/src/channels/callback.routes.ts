import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from '#domain/refusal.ts';
import { withRawBody } from '#http/server.ts';
import { noteOrder } from '#observability/tracing/calls.ts';
import type { ChannelAdapter, ChannelEvent, PaymentReport, PayoutReport } from './channel.ts';

/** The adapters that speak to a channel; undefined if not set up here. */
export interface ChannelAdapters {
  live: ChannelAdapter | undefined;
  test: ChannelAdapter | undefined;
  /** Whether the one for live merchants may decide about real orders. */
  isLive: boolean;
}

export interface ChannelCallbackOptions {
  /** Finds the adapters of a channel; none for a channel that does not exist. */
  adaptersOf: (channel: string) => Promise<ChannelAdapters>;
  isTestOrder: (orders: 'collection' | 'payout', number: string) => Promise<boolean>;
  /** Each throws `not_found` for an order that another channel serves. */
  onPayment: (report: PaymentReport, channel: string) => Promise<void>;
  onPayout: (report: PayoutReport, channel: string) => Promise<void>;
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
      const { channel } = request.params;
      const event = await readEvent(options, channel, request);
      noteOrder(request, event.report.reference);
      if (event.kind === 'payment') await options.onPayment(event.report, channel);
      else await options.onPayout(event.report, channel);
      return { received: true };
    });
  });
}

/**
 * Reads the event of a callback. One that only the channel's test adapter has signed, or the sandbox where it serves no live merchants, counts
 * for test orders alone: the sandbox must not decide about real money. Throws `not_found` for a channel that does not exist, and
 * `signature_invalid`.
 */
async function readEvent(
  { adaptersOf, isTestOrder }: ChannelCallbackOptions,
  channel: string,
  { headers, rawBody = Buffer.alloc(0) }: FastifyRequest,
): Promise<ChannelEvent> {
  const { live, test, isLive } = await adaptersOf(channel);
  if (!live && !test) throw new Refusal('not_found');
  const event = live?.readCallback(headers, rawBody);
  if (event && isLive) return event;
  const tried = event ?? (test === live ? undefined : test?.readCallback(headers, rawBody));
  const orders = tried?.kind === 'payment' ? 'collection' : 'payout';
  if (!tried || !(await isTestOrder(orders, tried.report.reference))) throw new Refusal('signature_invalid');
  return tried;
}
