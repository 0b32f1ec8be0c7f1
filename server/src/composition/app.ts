import { join } from 'node:path';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { channelCallbackRoutes } from '#channels/callback.routes.ts';
import type { Config } from '#config.ts';
import type { ChangeFeed } from '#db/change-feed.ts';
import { root } from '#folders.ts';
import { drainConnections } from '#http/connection-draining.ts';
import { consoleHost } from '#http/console-host.ts';
import { docsRoutes } from '#http/docs.ts';
import { eventRoutes } from '#http/events.ts';
import { Guards } from '#http/guards.ts';
import { healthRoutes } from '#http/health.ts';
import { observeCalls } from '#http/observe-calls.ts';
import { describeCalls } from '#http/open-api/describe-calls.ts';
import { developerPages } from '#http/open-api/developer-pages.ts';
import { RequestBuffer } from '#http/request-log/request-buffer.ts';
import { logSignedCalls } from '#http/request-log/request-log.ts';
import { createServer, withRawBody } from '#http/server.ts';
import { SessionCookies } from '#http/session-cookies.ts';
import type { SignInLimits } from '#http/sign-in-gate.ts';
import type { Metrics } from '#observability/metrics.ts';
import { version } from '#observability/version.ts';
import { demoSignIn } from './demo-sign-ins.ts';
import type { Services } from './services.ts';

/** The parts of a web process. */
export interface AppOptions {
  config: Config;
  services: Services;
  feed: ChangeFeed;
  metrics: Metrics;
  log: FastifyBaseLogger;
  /** Replaces the product's own limits, for tests. */
  signInLimits?: SignInLimits;
  /** Folder of the built console; the output of `npm run build` by default. */
  consoleFolder?: string;
}

const builtConsole = join(root, 'console/dist');

/** Builds the web side: the endpoints of every feature, and the routes that belong to none. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { config, services, feed, metrics, log, signInLimits } = options;
  const { database, secrets, statusWatch } = services;
  const app = await createServer(config, log, services.appUrl);
  const cookies = new SessionCookies(secrets, config.appUrl?.startsWith('https:') ?? false);
  const { appUrl: publicUrl, callQuotas } = config;
  const guards = new Guards(database, secrets, cookies, { signInLimits, publicUrl, callQuotas });
  const consoleFeatures = services.modules.flatMap(({ endpoints }) => endpoints?.(guards) ?? []);
  const openFeatures = services.modules.flatMap(({ openEndpoints }) => openEndpoints?.() ?? []);
  app.addHook('onClose', () => guards.stop());
  metrics.observe(app, ({ servedMs }) => servedMs);
  observeCalls(app, (elapsedMs, isFailed) => statusWatch.countCall(elapsedMs, isFailed));
  if (config.keepsRequests) {
    const requests = new RequestBuffer(database, (err) => log.error({ err }, 'request log failed'));
    logSignedCalls(app, requests);
  }
  app.addHook('onListen', async () => statusWatch.start());
  app.addHook('onClose', () => statusWatch.stop());
  healthRoutes(app, database);
  // After the health routes announce the shutdown, before the event routes end the open streams.
  drainConnections(app, config.drainSeconds);
  await docsRoutes(app, [
    {
      name: 'console',
      title: 'Hengfu console API',
      endpoints: consoleFeatures.flatMap(({ endpoints }) => endpoints),
    },
    { name: 'open', title: 'Hengfu Open API', endpoints: openFeatures.flatMap(({ endpoints }) => endpoints) },
  ]);
  developerPages(app, join(root, 'docs'));
  for (const each of consoleFeatures) each.bindTo(app, guards);
  await withRawBody(app, (scope) => {
    describeCalls(scope, guards.callLimits, services.appUrl);
    for (const each of openFeatures) each.bindTo(scope, guards);
  });
  await channelCallbackRoutes(app, {
    adaptersOf: services.adaptersOf,
    isTestOrder: services.isTestOrder,
    onPayment: (report, channel) => services.collections.report(report, channel),
    onPayout: (report, channel) => services.payouts.report(report, channel),
  });
  eventRoutes(app, guards, feed, metrics);
  const shownSignIn = config.demo ? demoSignIn : null;
  await consoleHost(app, guards, {
    folder: options.consoleFolder ?? builtConsole,
    title: config.title,
    version,
    demoSignIn: shownSignIn,
    hasTestMode: services.testMode.isServed,
  });
  return app;
}
