import { join } from 'node:path';
import { accountEndpoints } from '@hengfu/contract/account';
import { cashierEndpoints } from '@hengfu/contract/cashier';
import { collectionEndpoints } from '@hengfu/contract/collections';
import { openCollectionEndpoints } from '@hengfu/contract/collections.open';
import { dashboardEndpoints } from '@hengfu/contract/dashboard';
import { sessionEndpoints } from '@hengfu/contract/session';
import { settlementEndpoints } from '@hengfu/contract/settlements';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { channelCallbackRoutes } from '#channels/callback.routes.ts';
import type { Config } from '#config.ts';
import type { ChangeFeed } from '#db/change-feed.ts';
import { bind } from '#http/bind.ts';
import { consoleHost } from '#http/console-host.ts';
import { docsRoutes } from '#http/docs.ts';
import { eventRoutes } from '#http/events.ts';
import { Guards } from '#http/guards.ts';
import { healthRoutes } from '#http/health.ts';
import { createServer, withRawBody } from '#http/server.ts';
import { SessionCookies } from '#http/session-cookies.ts';
import type { Metrics } from '#metrics.ts';
import { demoSignIn } from './demo/people.ts';
import { accountHandlers } from './features/account/account.routes.ts';
import { cashierHandlers } from './features/cashier/cashier.routes.ts';
import { collectionHandlers, openCollectionHandlers } from './features/collections/collections.routes.ts';
import { dashboardHandlers } from './features/dashboard/dashboard.routes.ts';
import { sessionHandlers } from './features/session/session.routes.ts';
import { settlementHandlers } from './features/settlements/settlements.routes.ts';
import type { Services } from './services.ts';

/** What a web process is made of. */
export interface AppOptions {
  config: Config;
  services: Services;
  feed: ChangeFeed;
  metrics: Metrics;
  log: FastifyBaseLogger;
}

const consoleFolder = join(import.meta.dirname, '../../console/dist');
const version = '0.1.0';

const consoleApi = [
  sessionEndpoints,
  dashboardEndpoints,
  accountEndpoints,
  collectionEndpoints,
  settlementEndpoints,
  cashierEndpoints,
].flatMap((group) => Object.values(group));
const openApi = Object.values(openCollectionEndpoints);

/** The whole web side: every feature is named here, once. */
export async function buildApp({
  config,
  services,
  feed,
  metrics,
  log,
}: AppOptions): Promise<FastifyInstance> {
  const { database, secrets, appUrl } = services;
  const app = await createServer(config, log);
  const cookies = new SessionCookies(secrets, config.appUrl?.startsWith('https:') ?? false);
  const guards = new Guards(database, secrets, cookies);
  metrics.observe(app);
  healthRoutes(app, database);
  await docsRoutes(app, [
    { name: 'console', title: 'Hengfu console API', endpoints: consoleApi },
    { name: 'open', title: 'Hengfu Open API', endpoints: openApi },
  ]);

  bind(app, guards, sessionEndpoints, sessionHandlers(services.session, guards));
  bind(app, guards, dashboardEndpoints, dashboardHandlers(database));
  bind(app, guards, accountEndpoints, accountHandlers(database));
  bind(app, guards, collectionEndpoints, collectionHandlers(services.collectionReading, appUrl));
  bind(app, guards, settlementEndpoints, settlementHandlers(services.settlements));
  bind(app, guards, cashierEndpoints, cashierHandlers(services.cashier));
  await withRawBody(app, (scope) => {
    const handlers = openCollectionHandlers(services.collections, services.refunds, appUrl);
    bind(scope, guards, openCollectionEndpoints, handlers);
  });
  await channelCallbackRoutes(app, {
    adapterOf: services.adapterOf,
    onPayment: (report) => services.collections.report(report),
  });
  eventRoutes(app, guards, feed, metrics);
  const shownSignIn = config.demo ? demoSignIn : null;
  await consoleHost(app, guards, {
    folder: consoleFolder,
    title: config.title,
    version,
    demoSignIn: shownSignIn,
  });
  return app;
}
