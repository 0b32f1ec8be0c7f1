import type { AddressInfo } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import { createCallbackSender } from './callback-sender.ts';
import { type CollectionRouteParts, registerCollectionRoutes } from './collections.routes.ts';
import { createCollectionService } from './collections.service.ts';
import { registerDailyStatementRoute } from './daily-statement.routes.ts';
import { registerErrorHandler } from './error-handler.ts';
import { createHeldReplies } from './held-replies.ts';
import { type Outage, refuseDuringOutage, registerControlRoute } from './outage.ts';
import { registerPayPage } from './pay-page.routes.ts';
import { type PayoutRouteParts, registerPayoutRoutes } from './payouts.routes.ts';
import { createPayoutService } from './payouts.service.ts';
import { registerRefundRoutes } from './refunds.routes.ts';
import { createRefundService, type RefundService } from './refunds.service.ts';
import { registerSampleShop } from './sample-shop.routes.ts';
import { requireSignature } from './signed-scope.ts';
import { registerStatementRoute } from './statement.routes.ts';
import { openStore, type Store } from './store.ts';
import { defaultTimings, type Timings } from './timings.ts';

/** Options of a sandbox bank. */
export type SandboxOptions = {
  /** Directory of the database; created if it is missing. */
  dataDirectory: string;
  /** Secret shared with the service; signs calls and callbacks. */
  secret: string;
  /** 0, the default, takes any free port. */
  port?: number;
  host?: string;
  /** Base URL of the payer's pages as payers reach them; default: this machine's loopback address. */
  publicUrl?: string;
  /** Enables POST /v1/control; default false. */
  hasControl?: boolean;
  timings?: Partial<Timings>;
  /** Default `silent`; the log goes to standard error. */
  logLevel?: string;
};

/** A running sandbox bank. */
export type RunningSandbox = {
  /** Base URL of its calls. */
  url: string;
  /** Stops it; the next start resumes what was in progress. */
  close(): Promise<void>;
};

/**
 * Opens the database, listens, and resumes what the last run left. Rejects if the directory or the port is in
 * use.
 */
export async function startSandbox(options: SandboxOptions): Promise<RunningSandbox> {
  const timings: Timings = { ...defaultTimings, ...options.timings };
  const app = fastify({
    bodyLimit: 65_536,
    logger: { level: options.logLevel ?? 'silent', stream: process.stderr },
  });
  const store = openStore(options.dataDirectory);
  const onError = (error: unknown) => app.log.error(error);
  const sender = createCallbackSender(store, { secret: options.secret, timings, onError });
  const collections = createCollectionService({ store, sender, timings, onError });
  const refunds = createRefundService(store, collections);
  const payouts = createPayoutService({ store, sender, timings, onError });
  const heldReplies = createHeldReplies(timings.holdMs);

  let publicUrl = options.publicUrl?.replace(/\/+$/, '');
  const payUrl = (id: string) => `${publicUrl}/pay/${id}`;

  registerErrorHandler(app);
  app.get('/healthz', async () => ({ status: 'ok' }));
  registerPayPage(app, collections);
  registerSampleShop(app, options.secret);
  registerServiceCalls(app, options, { store, collections, refunds, payouts, sender, heldReplies, payUrl });
  // Runs before the connections drain: ends creations that wait for a callback or whose reply is held.
  app.addHook('preClose', async () => {
    heldReplies.dropAll();
    await sender.close();
  });
  app.addHook('onClose', async () => {
    collections.stop();
    payouts.stop();
    store.close();
  });

  try {
    await app.listen({ port: options.port ?? 0, host: options.host ?? '127.0.0.1' });
  } catch (error) {
    await app.close();
    throw error;
  }
  const { port, url } = addressOf(app);
  publicUrl ??= `http://127.0.0.1:${port}`;
  collections.start();
  payouts.start();
  sender.wake();
  return { url, close: () => app.close() };
}

function registerServiceCalls(
  app: FastifyInstance,
  { secret, hasControl }: SandboxOptions,
  parts: CollectionRouteParts & PayoutRouteParts & { refunds: RefundService; store: Store },
): void {
  const outage: Outage = { isPaused: false };
  app.register(
    async (signed) => {
      requireSignature(signed, secret);
      if (hasControl) registerControlRoute(signed, outage, parts.sender.setPaused);
      signed.register(async (calls) => {
        refuseDuringOutage(calls, outage);
        registerCollectionRoutes(calls, parts);
        registerRefundRoutes(calls, parts.refunds);
        registerPayoutRoutes(calls, parts);
        registerStatementRoute(calls, parts.store);
        registerDailyStatementRoute(calls, parts.store);
      });
    },
    { prefix: '/v1' },
  );
}

function addressOf(app: FastifyInstance): { port: number; url: string } {
  const { address, family, port } = app.server.address() as AddressInfo;
  const isAny = address === '0.0.0.0' || address === '::';
  const host = isAny ? '127.0.0.1' : family === 'IPv6' ? `[${address}]` : address;
  return { port, url: `http://${host}:${port}` };
}
