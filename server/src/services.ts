import { CallbackSender } from '#callbacks/callbacks.ts';
import type { Authorize } from '#caller.ts';
import { type Adapters, adapterNamed, type ChannelAdapter, type PayoutReport } from '#channels/channel.ts';
import { SandboxAdapter } from '#channels/sandbox/sandbox-adapter.ts';
import type { Database } from '#db/database.ts';
import { deleteOldReplies } from '#db/once.ts';
import type { Snapshots } from '#db/snapshots.ts';
import type { FileStore } from '#files/file-store.ts';
import { deleteOldNonces } from '#http/access-key.sql.ts';
import { deleteOldCallCounts } from '#http/call-counts.sql.ts';
import { deleteEndedSessions } from '#http/session.sql.ts';
import type { Recurring, Task } from '#jobs/jobs.ts';
import type { JobLine } from '#jobs/workers.ts';
import type { Secrets } from '#secrets.ts';
import { exportables } from './exportables.ts';
import { AccessKeyService } from './features/access-key/access-key.service.ts';
import { CashierService } from './features/cashier/cashier.service.ts';
import { CollectionJobs, collectionRecurring, planToAsk } from './features/collections/collections.jobs.ts';
import { CollectionMoves } from './features/collections/collections.moves.ts';
import { CollectionReading } from './features/collections/collections.reading.ts';
import { CollectionRefunds } from './features/collections/collections.refunds.ts';
import { CollectionService } from './features/collections/collections.service.ts';
import { findAdapterOf } from './features/collections/collections-channels.sql.ts';
import { ContactService } from './features/contact/contact.service.ts';
import { ClosedDays, closingRecurring } from './features/daily-reports/closed-days.ts';
import { ExportJobs, exportRecurring } from './features/exports/exports.jobs.ts';
import { ExportService } from './features/exports/exports.service.ts';
import type { WriteExport } from './features/exports/exports.writing.ts';
import { ExportScheduleService, scheduleRecurring } from './features/exports/schedules.service.ts';
import { FundsTransferService } from './features/fund-flow/funds-transfer.service.ts';
import { IpAddressService } from './features/ip-address/ip-address.service.ts';
import { LedgerProof, proofRecurring } from './features/ledger-proof/ledger-proof.service.ts';
import { NoticeService, noticeRecurring } from './features/notices/notices.service.ts';
import { PaymentPasswordService } from './features/payment-password/payment-password.service.ts';
import { BatchChecker } from './features/payout-batches/payout-batches.check.ts';
import { BatchJob } from './features/payout-batches/payout-batches.job.ts';
import { BatchNotice } from './features/payout-batches/payout-batches.notice.ts';
import { BatchService } from './features/payout-batches/payout-batches.service.ts';
import { PayoutSlips } from './features/payout-slips/payout-slips.service.ts';
import { PayoutDispatch } from './features/payouts/payouts.dispatch.ts';
import { PayoutReading } from './features/payouts/payouts.reading.ts';
import { PayoutService } from './features/payouts/payouts.service.ts';
import { ProfileService } from './features/profile/profile.service.ts';
import { SavedViewService } from './features/saved-views/saved-views.service.ts';
import { SearchService } from './features/search/search.service.ts';
import { SessionService } from './features/session/session.service.ts';
import { SettlementService, settlementRecurring } from './features/settlements/settlements.service.ts';
import { StatusIncidents } from './features/status/status.incidents.ts';
import { StatusSampler, statusRecurring } from './features/status/status.sampler.ts';
import { StatusService } from './features/status/status.service.ts';
import { StatusWatch } from './features/status/status.watch.ts';
import { TopupReview } from './features/topups/topups.review.ts';
import { TopupService } from './features/topups/topups.service.ts';
import { ChallengeService } from './features/two-factor/challenge.service.ts';
import { PasskeyService } from './features/two-factor/passkeys.service.ts';
import { TwoFactorService } from './features/two-factor/two-factor.service.ts';
import { WatchService } from './features/watch/watch.service.ts';
import { WithdrawalTermsService } from './features/withdrawals/withdrawal-terms.service.ts';
import { WithdrawalService } from './features/withdrawals/withdrawals.service.ts';

export interface ServiceOptions {
  database: Database;
  /** Where reports and exports are read. */
  snapshots: Snapshots;
  secrets: Secrets;
  /** Name of the installation, as authenticator apps show it. */
  title: string;
  /** Public base address of the product; known for good once the server listens. */
  appUrl: () => string;
  /** Undefined where no sandbox bank runs. */
  sandbox: { url: string; secret: string } | undefined;
  /** Demo mode: shops may run on this machine. */
  allowsPrivateTargets: boolean;
  /** Where the files of exports are kept. */
  files: FileStore;
  /** Writes them there. */
  writeExport: WriteExport;
}

const sweepTask = 'sessions.sweep';
/** Jobs that wait for somebody else's server: they take long and do little. */
const callsAtOnce = 16;
const jobsAtOnce = 4;

/** Work that is done over and over. */
const recurring: readonly Recurring[] = [
  ...collectionRecurring,
  ...settlementRecurring,
  ...proofRecurring,
  ...exportRecurring,
  ...scheduleRecurring,
  ...noticeRecurring,
  ...statusRecurring,
  ...closingRecurring,
  { task: sweepTask, everySeconds: 60 },
];

/** Every feature's services, put together once: the web side, the workers and the operator share them. */
export type Services = ReturnType<typeof buildServices>;

export function buildServices(options: ServiceOptions) {
  const { database, secrets, appUrl } = options;
  const adapters: Adapters = new Map<string, ChannelAdapter>(
    options.sandbox ? [['sandbox', new SandboxAdapter(options.sandbox)]] : [],
  );
  const moves = new CollectionMoves(appUrl);
  const collections = new CollectionService(database, moves, adapters);
  const refunds = new CollectionRefunds(database, moves, adapters);
  const collectionJobs = new CollectionJobs(database, collections, moves, adapters);
  const settlements = new SettlementService(database);
  const callbacks = new CallbackSender({
    database,
    secrets,
    allowsPrivateTargets: options.allowsPrivateTargets,
    // A payout is what it is, whether its shop was told or not.
    onAcknowledged: { collection: collections.acknowledged, payout: async () => {} },
  });
  const access = accessServices(options);
  const { paymentPassword, twoFactor } = access;
  /** What money leaves by: the payment password, and the second factor where it is on. */
  const authorize: Authorize = async (person, { password, code }) => {
    await paymentPassword.verify(person, password);
    await twoFactor.check(person, code);
  };
  const { dispatchTasks, batchTasks, ...payoutServices } = buildPayouts(options, adapters, authorize);
  const { watchTasks, ...watching } = buildWatching(database);
  const { exportTasks, ...exportServices } = buildExports(options);
  const orderTasks = { ...collectionJobs.tasks, ...settlements.tasks, ...batchTasks };
  const ownTasks = { ...orderTasks, ...exportTasks, ...watchTasks };
  const jobLines: JobLine[] = [
    { tasks: { ...refunds.tasks, ...collectionJobs.channelTasks, ...dispatchTasks }, atOnce: callsAtOnce },
    { tasks: callbacks.tasks, atOnce: callsAtOnce },
    { tasks: { ...ownTasks, [sweepTask]: () => sweep(database) }, atOnce: jobsAtOnce },
  ];
  return {
    snapshots: options.snapshots,
    database,
    secrets,
    appUrl,
    tasks: Object.assign({}, ...jobLines.map(({ tasks }) => tasks)) as Record<string, Task>,
    jobLines,
    recurring,
    collections,
    collectionReading: new CollectionReading(database),
    refunds,
    settlements,
    contact: new ContactService(database),
    ...watching,
    savedViews: new SavedViewService(database),
    search: new SearchService(database),
    ...exportServices,
    fundsTransfers: new FundsTransferService(database),
    ...payoutServices,
    topups: new TopupService(database),
    topupReview: new TopupReview(database),
    withdrawals: new WithdrawalService(database, authorize),
    withdrawalTerms: new WithdrawalTermsService(database),
    ...access,
    cashier: new CashierService({ database, adapters, appUrl, planToAsk }),
    adapterOf: async (channel: string): Promise<ChannelAdapter | undefined> => {
      const name = await database.asSystem((tx) => findAdapterOf(tx, channel));
      return name === undefined || !adapters.has(name) ? undefined : adapterNamed(adapters, name);
    },
  };
}

/** What looks at how things stand, and what tells people of it. */
function buildWatching(database: Database) {
  const proof = new LedgerProof(database);
  const sampler = new StatusSampler(database);
  const notices = new NoticeService(database);
  return {
    proof,
    notices,
    status: new StatusService(database),
    statusWatch: new StatusWatch(database, sampler),
    incidents: new StatusIncidents(database),
    watch: new WatchService(database),
    watchTasks: { ...proof.tasks, ...notices.tasks, ...sampler.tasks, ...new ClosedDays(database).tasks },
  };
}

/** Payouts, one by one and in batches. */
function buildPayouts(
  { database, secrets, appUrl }: ServiceOptions,
  adapters: Adapters,
  authorize: Authorize,
) {
  const payouts = new PayoutService(database, authorize);
  const onReport = (report: PayoutReport) => payouts.report(report);
  const dispatch = new PayoutDispatch({ database, adapters, appUrl, onReport });
  const payoutReading = new PayoutReading(database);
  const batchJob = new BatchJob(database, (tx, row) => payouts.takeRow(tx, row));
  return {
    payouts,
    payoutReading,
    payoutBatches: new BatchService(database, payoutReading, authorize),
    payoutBatchChecker: new BatchChecker(database, payoutReading),
    payoutDispatch: dispatch,
    payoutSlips: new PayoutSlips(database, secrets, appUrl),
    dispatchTasks: dispatch.tasks,
    batchTasks: { ...batchJob.tasks, ...new BatchNotice(database).tasks },
  };
}

/** Exports: asked for, written, looked after. */
function buildExports({ database, files: store, writeExport: write }: ServiceOptions) {
  const jobs = new ExportJobs({ database, store, write });
  const exportSchedules = new ExportScheduleService(database, exportables);
  return {
    exports: new ExportService(database, store, exportables),
    exportSchedules,
    exportTasks: { ...jobs.tasks, ...exportSchedules.tasks },
  };
}

/** Removes what has served its time. */
async function sweep(database: Database): Promise<void> {
  for (const forget of [deleteEndedSessions, deleteOldNonces, deleteOldCallCounts, deleteOldReplies])
    await database.asSystem(async (tx) => void (await forget(tx)));
}

/** Signing in, and everything that guards an account. */
function accessServices({ database, secrets, title, appUrl }: ServiceOptions) {
  const twoFactor = new TwoFactorService(database, secrets, title);
  const passkeys = new PasskeyService({ database, secrets, title, appUrl });
  return {
    session: new SessionService(database),
    profile: new ProfileService(database),
    ipAddress: new IpAddressService(database),
    paymentPassword: new PaymentPasswordService(database),
    twoFactor,
    passkeys,
    accessKey: new AccessKeyService(database, secrets, (person, code) => twoFactor.check(person, code)),
    challenges: new ChallengeService(database, secrets, passkeys),
  };
}
