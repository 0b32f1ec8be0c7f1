import { ArchiveReader } from '#archive/archive-reader.ts';
import { accessApproval } from '#domain/access-approval.sql.ts';
import type { Authorize, Person } from '#domain/caller.ts';
import { accessKeyModule } from '#features/access-key/access-key.module.ts';
import { accountModule } from '#features/account/account.module.ts';
import { announcementsModule } from '#features/announcements/announcements.module.ts';
import { approvalsModule } from '#features/approvals/approvals.module.ts';
import { auditLogModule } from '#features/audit-log/audit-log.module.ts';
import { auditSealModule } from '#features/audit-seal/audit-seal.module.ts';
import { batchHeadingsModule } from '#features/batch-headings/batch-headings.module.ts';
import { callbacksModule } from '#features/callbacks/callbacks.module.ts';
import { cashierModule } from '#features/cashier/cashier.module.ts';
import { checkoutModule } from '#features/checkout/checkout.module.ts';
import { createOwnOrder } from '#features/collections/by-hand/own-orders.ts';
import { scheduleStatusQuery } from '#features/collections/by-hand/status-queries.ts';
import { collectionsModule } from '#features/collections/collections.module.ts';
import { findCollection } from '#features/collections/collections.sql.ts';
import { contactModule } from '#features/contact/contact.module.ts';
import { dailyReportsModule } from '#features/daily-reports/daily-reports.module.ts';
import { dashboardModule } from '#features/dashboard/dashboard.module.ts';
import { exportsModule } from '#features/exports/exports.module.ts';
import type { WriteExport } from '#features/exports/exports.writing.ts';
import { fundFlowModule } from '#features/fund-flow/fund-flow.module.ts';
import { ipAddressModule } from '#features/ip-address/ip-address.module.ts';
import { ledgerProofModule } from '#features/ledger-proof/ledger-proof.module.ts';
import type { FeatureModule, ModuleDeps } from '#features/module.ts';
import { monthsModule } from '#features/months/months.module.ts';
import { noticesModule } from '#features/notices/notices.module.ts';
import { paymentLinksModule } from '#features/payment-links/payment-links.module.ts';
import { paymentPasswordModule } from '#features/payment-password/payment-password.module.ts';
import { payoutBatchesModule } from '#features/payout-batches/payout-batches.module.ts';
import { payoutSlipsModule } from '#features/payout-slips/payout-slips.module.ts';
import { payoutsModule } from '#features/payouts/payouts.module.ts';
import { profileModule } from '#features/profile/profile.module.ts';
import { receiptsModule } from '#features/receipts/receipts.module.ts';
import { requestLogModule } from '#features/request-log/request-log.module.ts';
import { savedViewsModule } from '#features/saved-views/saved-views.module.ts';
import { searchModule } from '#features/search/search.module.ts';
import { sessionModule } from '#features/session/session.module.ts';
import { settlementsModule } from '#features/settlements/settlements.module.ts';
import { statusModule } from '#features/status/status.module.ts';
import { teamModule } from '#features/team/team.module.ts';
import { testCallsModule } from '#features/test-calls/test-calls.module.ts';
import { testModeModule } from '#features/test-mode/test-mode.module.ts';
import { topupsModule } from '#features/topups/topups.module.ts';
import { totalsModule } from '#features/totals/totals.module.ts';
import { twoFactorModule } from '#features/two-factor/two-factor.module.ts';
import { watchModule } from '#features/watch/watch.module.ts';
import { withdrawalsModule } from '#features/withdrawals/withdrawals.module.ts';
import { workplacesModule } from '#features/workplaces/workplaces.module.ts';
import { exportablesOf } from './exports.ts';

/** Builds the module of every feature, in the order of the API documentation. */
export function buildModules(deps: ModuleDeps, writeExport: WriteExport) {
  const twoFactor = twoFactorModule(deps);
  const paymentPassword = paymentPasswordModule(deps);
  const checkFactor = twoFactor.services.twoFactor.check.bind(twoFactor.services.twoFactor);
  const authorize = authorizeBy(paymentPassword.services.paymentPassword, checkFactor);
  const payouts = payoutsModule(deps, authorize);
  const collections = collectionsModule(deps, authorize);
  const withdrawals = withdrawalsModule(deps, authorize);
  const team = teamModule(deps);
  const accessKey = accessKeyModule(deps, checkFactor);
  const ipAddress = ipAddressModule(deps);
  const callbacks = callbacksModule(deps, checkFactor);
  const lists = exportablesOf(new ArchiveReader(deps.archive).readParts);
  return [
    sessionModule(deps),
    twoFactor,
    profileModule(deps),
    paymentPassword,
    accessKey,
    callbacks,
    ipAddress,
    team,
    workplacesModule(deps),
    testModeModule(deps),
    testCallsModule(deps),
    auditLogModule(deps),
    requestLogModule(deps),
    dashboardModule(deps),
    accountModule(deps),
    collections,
    paymentLinksModule(deps, {
      create: createOwnOrder,
      find: (tx, outTradeNo) => findCollection(tx, { outTradeNo }),
    }),
    payouts,
    payoutBatchesModule(deps, {
      payouts: payouts.services.payoutReading,
      takeRow: (tx, row) => payouts.services.payouts.takeRow(tx, row),
      authorize,
    }),
    batchHeadingsModule(deps),
    payoutSlipsModule(deps),
    dailyReportsModule(deps),
    fundFlowModule(deps),
    topupsModule(deps),
    withdrawals,
    approvalsModule(deps, {
      authorize,
      effects: {
        payout: payouts.services.payoutApproval,
        batch: payouts.services.batchApproval,
        withdrawal: withdrawals.services.withdrawalApproval,
        refund: collections.services.refundApproval,
        team: team.services.teamApproval,
        access: accessApproval({
          key: accessKey.services.accessKeyApproval,
          whitelist: ipAddress.services.ipAddressApproval,
          endpoint: callbacks.services.endpointApproval,
        }),
      },
    }),
    settlementsModule(deps),
    exportsModule(deps, { lists, write: writeExport }),
    totalsModule(deps, lists),
    savedViewsModule(deps),
    searchModule(deps),
    noticesModule(deps),
    announcementsModule(deps),
    contactModule(deps),
    statusModule(deps),
    checkoutModule(deps),
    cashierModule(deps, scheduleStatusQuery),
    receiptsModule(deps),
    ledgerProofModule(deps),
    monthsModule(deps),
    auditSealModule(deps),
    watchModule(deps),
  ] as const satisfies readonly FeatureModule[];
}

/** Outgoing money needs the payment password, and the second factor if one is bound. */
function authorizeBy(
  paymentPassword: { verify(person: Person, password: string): Promise<unknown> },
  checkFactor: (person: Person, code: string | undefined) => Promise<unknown>,
): Authorize {
  return async (person, { password, code }) => {
    await paymentPassword.verify(person, password);
    await checkFactor(person, code);
  };
}

type Modules = ReturnType<typeof buildModules>;

/** The intersection of all types of a union. */
type Intersection<U> = (U extends unknown ? (each: U) => void : never) extends (all: infer I) => void
  ? I
  : never;

/** The services of all modules, by name. */
export type ModuleServices = Intersection<Modules[number]['services']>;

/** Joins the services of all modules. Throws if two share a name. */
export function servicesOf(modules: Modules): ModuleServices {
  const all: Record<string, unknown> = {};
  for (const { services } of modules)
    for (const [name, service] of Object.entries(services)) {
      if (name in all) throw new Error(`two features have a service named ${name}`);
      all[name] = service;
    }
  return all as ModuleServices;
}
