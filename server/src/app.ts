import { join } from 'node:path';
import { accessKeyEndpoints } from '@hengfu/contract/access-key';
import { accountEndpoints, openAccountEndpoints } from '@hengfu/contract/account';
import { cashierEndpoints } from '@hengfu/contract/cashier';
import { collectionEndpoints } from '@hengfu/contract/collections';
import { openCollectionEndpoints } from '@hengfu/contract/collections.open';
import { contactEndpoints } from '@hengfu/contract/contact';
import { dailyReportEndpoints } from '@hengfu/contract/daily-reports';
import { dashboardEndpoints } from '@hengfu/contract/dashboard';
import { exportScheduleEndpoints } from '@hengfu/contract/export-schedules';
import { exportEndpoints } from '@hengfu/contract/exports';
import { fundFlowEndpoints } from '@hengfu/contract/fund-flow';
import { ipAddressEndpoints } from '@hengfu/contract/ip-address';
import { noticeEndpoints } from '@hengfu/contract/notices';
import { passkeyEndpoints } from '@hengfu/contract/passkeys';
import { paymentPasswordEndpoints } from '@hengfu/contract/payment-password';
import { payoutBatchEndpoints } from '@hengfu/contract/payout-batches';
import { payoutSlipEndpoints } from '@hengfu/contract/payout-slips';
import { payoutEndpoints } from '@hengfu/contract/payouts';
import { openPayoutEndpoints } from '@hengfu/contract/payouts.open';
import { profileEndpoints } from '@hengfu/contract/profile';
import { savedViewEndpoints } from '@hengfu/contract/saved-views';
import { searchEndpoints } from '@hengfu/contract/search';
import { sessionEndpoints } from '@hengfu/contract/session';
import { settlementEndpoints } from '@hengfu/contract/settlements';
import { statusEndpoints } from '@hengfu/contract/status';
import { topupEndpoints } from '@hengfu/contract/topups';
import { twoFactorEndpoints } from '@hengfu/contract/two-factor';
import { withdrawalEndpoints } from '@hengfu/contract/withdrawals';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { channelCallbackRoutes } from '#channels/callback.routes.ts';
import type { Config } from '#config.ts';
import type { ChangeFeed } from '#db/change-feed.ts';
import { type Feature, feature } from '#http/bind.ts';
import { consoleHost } from '#http/console-host.ts';
import { docsRoutes } from '#http/docs.ts';
import { eventRoutes } from '#http/events.ts';
import { Guards } from '#http/guards.ts';
import { healthRoutes } from '#http/health.ts';
import { leaveGently } from '#http/leaving.ts';
import { observeCalls } from '#http/observe-calls.ts';
import { createServer, withRawBody } from '#http/server.ts';
import { SessionCookies } from '#http/session-cookies.ts';
import type { Metrics } from '#metrics.ts';
import { demoSignIn } from './demo/people.ts';
import { accessKeyHandlers } from './features/access-key/access-key.routes.ts';
import { accountHandlers, openAccountHandlers } from './features/account/account.routes.ts';
import { cashierHandlers } from './features/cashier/cashier.routes.ts';
import { collectionHandlers, openCollectionHandlers } from './features/collections/collections.routes.ts';
import { contactHandlers } from './features/contact/contact.routes.ts';
import { dailyReportHandlers } from './features/daily-reports/daily-reports.routes.ts';
import { dashboardHandlers } from './features/dashboard/dashboard.routes.ts';
import { exportHandlers, exportScheduleHandlers } from './features/exports/exports.routes.ts';
import { fundFlowHandlers } from './features/fund-flow/fund-flow.routes.ts';
import { ipAddressHandlers } from './features/ip-address/ip-address.routes.ts';
import { noticeHandlers } from './features/notices/notices.routes.ts';
import { paymentPasswordHandlers } from './features/payment-password/payment-password.routes.ts';
import { payoutBatchHandlers } from './features/payout-batches/payout-batches.routes.ts';
import { payoutSlipHandlers } from './features/payout-slips/payout-slips.routes.ts';
import { openPayoutHandlers, payoutHandlers } from './features/payouts/payouts.routes.ts';
import { profileHandlers } from './features/profile/profile.routes.ts';
import { savedViewHandlers } from './features/saved-views/saved-views.routes.ts';
import { searchHandlers } from './features/search/search.routes.ts';
import { sessionHandlers } from './features/session/session.routes.ts';
import { settlementHandlers } from './features/settlements/settlements.routes.ts';
import { statusHandlers } from './features/status/status.routes.ts';
import { topupHandlers } from './features/topups/topups.routes.ts';
import { passkeyHandlers } from './features/two-factor/passkeys.routes.ts';
import { twoFactorHandlers } from './features/two-factor/two-factor.routes.ts';
import { withdrawalHandlers } from './features/withdrawals/withdrawals.routes.ts';
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

/** The calls of the console and the cashier. */
function consoleFeatures({ services }: AppOptions, guards: Guards): Feature[] {
  const { database, appUrl } = services;
  return [
    feature(sessionEndpoints, sessionHandlers(services.session, guards)),
    feature(twoFactorEndpoints, twoFactorHandlers(services.twoFactor, services.challenges, guards)),
    feature(passkeyEndpoints, passkeyHandlers(services.passkeys, services.challenges, guards)),
    feature(profileEndpoints, profileHandlers(services.profile, guards)),
    feature(paymentPasswordEndpoints, paymentPasswordHandlers(services.paymentPassword)),
    feature(accessKeyEndpoints, accessKeyHandlers(services.accessKey)),
    feature(ipAddressEndpoints, ipAddressHandlers(services.ipAddress)),
    feature(dashboardEndpoints, dashboardHandlers(database)),
    feature(accountEndpoints, accountHandlers(database)),
    feature(collectionEndpoints, collectionHandlers(services.collectionReading, appUrl)),
    feature(payoutEndpoints, payoutHandlers(services.payouts, services.payoutReading)),
    feature(payoutBatchEndpoints, payoutBatchHandlers(services.payoutBatches, services.payoutBatchChecker)),
    feature(payoutSlipEndpoints, payoutSlipHandlers(services.payoutSlips)),
    feature(dailyReportEndpoints, dailyReportHandlers(services.snapshots)),
    feature(fundFlowEndpoints, fundFlowHandlers(database)),
    feature(topupEndpoints, topupHandlers(services.topups)),
    feature(withdrawalEndpoints, withdrawalHandlers(services.withdrawals)),
    feature(settlementEndpoints, settlementHandlers(services.settlements)),
    feature(exportEndpoints, exportHandlers(services.exports)),
    feature(exportScheduleEndpoints, exportScheduleHandlers(services.exportSchedules)),
    feature(savedViewEndpoints, savedViewHandlers(services.savedViews)),
    feature(searchEndpoints, searchHandlers(services.search)),
    feature(noticeEndpoints, noticeHandlers(services.notices)),
    feature(contactEndpoints, contactHandlers(services.contact)),
    feature(statusEndpoints, statusHandlers(services.status)),
    feature(cashierEndpoints, cashierHandlers(services.cashier)),
  ];
}

/** The calls of merchants' programs. */
function openFeatures({ services }: AppOptions): Feature[] {
  const { database, collections, refunds, payouts, payoutReading, appUrl } = services;
  return [
    feature(openCollectionEndpoints, openCollectionHandlers(collections, refunds, appUrl)),
    feature(openPayoutEndpoints, openPayoutHandlers(payouts, payoutReading)),
    feature(openAccountEndpoints, openAccountHandlers(database)),
  ];
}

/** The whole web side: every feature is named here, once. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { config, services, feed, metrics, log } = options;
  const { database, secrets, statusWatch } = services;
  const app = await createServer(config, log);
  const cookies = new SessionCookies(secrets, config.appUrl?.startsWith('https:') ?? false);
  const guards = new Guards(database, secrets, cookies);
  const ofConsole = consoleFeatures(options, guards);
  const open = openFeatures(options);
  app.addHook('onClose', () => guards.stop());
  metrics.observe(app);
  observeCalls(app, (elapsedMs, isFailed) => statusWatch.note(elapsedMs, isFailed));
  app.addHook('onListen', async () => statusWatch.start());
  app.addHook('onClose', () => statusWatch.stop());
  healthRoutes(app, database);
  // Behind what says that it leaves, before what ends the streams of open screens.
  leaveGently(app, config.drainSeconds);
  await docsRoutes(app, [
    {
      name: 'console',
      title: 'Hengfu console API',
      endpoints: ofConsole.flatMap(({ endpoints }) => endpoints),
    },
    { name: 'open', title: 'Hengfu Open API', endpoints: open.flatMap(({ endpoints }) => endpoints) },
  ]);
  for (const each of ofConsole) each.bindTo(app, guards);
  await withRawBody(app, (scope) => {
    for (const each of open) each.bindTo(scope, guards);
  });
  await channelCallbackRoutes(app, {
    adapterOf: services.adapterOf,
    onPayment: (report) => services.collections.report(report),
    onPayout: (report) => services.payouts.report(report),
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
