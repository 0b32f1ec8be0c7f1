import { statfs } from 'node:fs/promises';
import type { PoolCounts } from '#db/pool.ts';
import type { InstallationState, WatchService } from '#features/watch/watch.service.ts';
import { type Metrics, probeLimitMs } from '#observability/metrics.ts';
import { version } from '#observability/version.ts';
import type { ArchivingState } from '#recovery/archiving.ts';
import { within } from '#threads/within.ts';

/** Reported even if 0: an alert cannot rely on a series that comes and goes. */
const underWay = ['pending', 'processing', 'pendingSettlement'] as const;
const outcomes = ['paid', 'refused', 'unanswered'] as const;

/** The sources of {@link observeProcess}. */
export interface ProcessParts {
  /** Whether the database answers this process. */
  isDatabaseUp: () => Promise<boolean>;
  pool: () => PoolCounts;
  dataDir: string;
}

/** The sources of {@link observeSystem}. */
export interface SystemParts extends Omit<ProcessParts, 'isDatabaseUp'> {
  watch: Pick<WatchService, 'state'>;
  /** The archiving of WAL, in the process that does it. */
  archiving?: (() => ArchivingState) | undefined;
  /** Whether payouts are held after a restore. */
  isHeld?: () => boolean;
}

/** Adds gauges of the installation, and of a process's connections and disk, to its metrics. They are measured at each scrape. */
export function observeSystem(metrics: Metrics, parts: SystemParts): void {
  const setGauges = stateGauges(metrics);
  const isDatabaseUp = async () => {
    const state = await within(probeLimitMs, parts.watch.state()).catch(() => undefined);
    setGauges(state);
    return state !== undefined;
  };
  observeProcess(metrics, { ...parts, isDatabaseUp });
  observeRecovery(metrics, parts);
}

/** Adds gauges of a process's connections and disk to its metrics, for one that may not read the state of the installation. */
export function observeProcess(metrics: Metrics, { isDatabaseUp, pool, dataDir }: ProcessParts): void {
  metrics.gauge('hengfu_build_info', 'The version that runs, as a label', ['version']).labels(version).set(1);
  const up = metrics.gauge('hengfu_database_up', 'Whether the database answers this process');
  const connections = metrics.gauge('hengfu_pool_connections', 'Connections to the database, by use', [
    'use',
  ]);
  const waiting = metrics.gauge('hengfu_pool_waiting', 'Transactions that wait for a connection');
  const free = metrics.gauge('hengfu_data_free_bytes', 'Free space where DATA_DIR is');
  const size = metrics.gauge('hengfu_data_size_bytes', 'Size of the disk where DATA_DIR is');
  metrics.addProbe(async () => up.set((await isDatabaseUp()) ? 1 : 0));
  metrics.addProbe(async () => {
    const counts = pool();
    connections.set({ use: 'busy' }, counts.busy);
    connections.set({ use: 'idle' }, counts.idle);
    waiting.set(counts.waiting);
  });
  metrics.addProbe(async () => {
    const disk = await statfs(dataDir).catch(() => undefined);
    for (const gauge of [free, size]) gauge.remove();
    if (!disk) return;
    free.set(disk.bavail * disk.bsize);
    size.set(disk.blocks * disk.bsize);
  });
}

/** Adds the gauges of the WAL archive and of the time after a restore. */
function observeRecovery(metrics: Metrics, { archiving, isHeld }: SystemParts): void {
  const waiting = metrics.gauge(
    'hengfu_wal_waiting_segments',
    'Finished WAL segments that are not in the archive yet',
  );
  const baseAge = metrics.gauge(
    'hengfu_base_backup_age_seconds',
    'Age of the newest base backup; before the first one, time since WAL was first archived',
  );
  const held = metrics.gauge('hengfu_payouts_held', 'Whether payouts wait for a comparison after a restore');
  metrics.addProbe(async () => {
    held.set(isHeld?.() ? 1 : 0);
    for (const gauge of [waiting, baseAge]) gauge.remove();
    const state = archiving?.();
    if (!state) return;
    waiting.set(state.waitingSegments);
    baseAge.set((Date.now() - (state.newestBaseAt ?? state.since).getTime()) / 1000);
  });
}

/** Adds the gauges that say whether the ledger, the audit trail and the rule of two people can be trusted. */
function trustGauges(metrics: Metrics) {
  const violations = metrics.gauge(
    'hengfu_ledger_violations',
    'Violations that the last proof of the ledger found',
  );
  const proofAge = metrics.gauge(
    'hengfu_ledger_proof_age_seconds',
    'Time since the last proof of the ledger; before the first one, since the first merchant was created',
  );
  const unsealed = metrics.gauge(
    'hengfu_audit_unsealed_seconds',
    'How long the oldest row of the audit trail has waited to be sealed',
  );
  const alone = metrics.gauge(
    'hengfu_break_glass_actions',
    'Actions within the last hour for which an operator did not wait for a second person',
  );
  const refused = metrics.gauge(
    'hengfu_break_glass_refused',
    'Commands of the last hour with --break-glass that were refused',
  );
  const lastAlone = metrics.gauge(
    'hengfu_break_glass_last_timestamp_seconds',
    'When an operator last acted without a second person, if that was within the last hour; otherwise 0',
  );
  const contradictions = metrics.gauge(
    'hengfu_contradicted_payouts',
    'Payouts whose outcome a channel or a statement contradicts, and nobody has settled',
  );
  return {
    all: [violations, proofAge, unsealed, alone, refused, lastAlone, contradictions],
    set({ proof, unsealedSeconds, commandsAlone, contradicted }: InstallationState) {
      if (proof.violations !== null) violations.set(proof.violations);
      if (proof.age !== null) proofAge.set(proof.age);
      unsealed.set(unsealedSeconds);
      alone.set(commandsAlone.acted);
      refused.set(commandsAlone.refused);
      lastAlone.set((commandsAlone.lastAt?.getTime() ?? 0) / 1000);
      contradictions.set(contradicted);
    },
  };
}

/** Adds the gauges of the whole installation. If its state is unknown, they are removed instead of left stale. */
function stateGauges(metrics: Metrics): (state: InstallationState | undefined) => void {
  const job = metrics.gauge('hengfu_job_wait_seconds', 'How long the oldest due job has waited for a worker');
  const failing = metrics.gauge(
    'hengfu_recurring_failing_seconds',
    'How long the recurring job that has failed longest has failed at each run; 0 if none does',
  );
  const callback = metrics.gauge(
    'hengfu_callback_wait_seconds',
    'How long the oldest due callback has waited for a worker',
  );
  const payouts = metrics.gauge(
    'hengfu_unfinished_payouts',
    'Payouts without a final status, by status and age',
    ['status', 'age'],
  );
  const oldest = metrics.gauge('hengfu_oldest_payout_seconds', 'Age of the oldest unfinished payout', [
    'status',
  ]);
  const trust = trustGauges(metrics);
  const orders = metrics.gauge('hengfu_channel_orders', 'Orders of the last hour, by what the channel said', [
    'channel',
    'kind',
    'outcome',
  ]);
  const open = metrics.gauge('hengfu_channel_open', 'Whether operators keep a channel open', [
    'channel',
    'kind',
  ]);
  const months = metrics.gauge(
    'hengfu_months_ready',
    'Months after the current one whose partitions exist; without them nothing can be recorded',
  );
  const walAge = metrics.gauge(
    'hengfu_wal_archived_age_seconds',
    'Time since PostgreSQL archived a WAL segment; absent if it archives nothing',
  );
  const walFailures = metrics.gauge(
    'hengfu_wal_archive_failures',
    'Failed attempts of PostgreSQL to archive a WAL segment',
  );
  const labelled = [payouts, oldest, orders, open];
  const plain = [job, failing, callback, months, walAge, walFailures, ...trust.all];
  return (state) => {
    for (const gauge of labelled) gauge.reset();
    // reset() would report 0.
    for (const gauge of plain) gauge.remove();
    if (!state) return;
    job.set(state.waits.job);
    failing.set(state.failingSeconds);
    callback.set(state.waits.callback);
    months.set(state.monthsReady);
    trust.set(state);
    if (state.wal) {
      walAge.set(state.wal.age);
      walFailures.set(state.wal.failures);
    }
    for (const status of underWay) {
      const found = state.payouts.find((each) => each.status === status);
      payouts.set({ status, age: 'under_10m' }, found?.underTenMinutes ?? 0);
      payouts.set({ status, age: 'under_1h' }, found?.underAnHour ?? 0);
      payouts.set({ status, age: 'over_1h' }, found?.overAnHour ?? 0);
      oldest.set({ status }, found?.oldest ?? 0);
    }
    for (const { isOpen, ...labels } of state.channels) {
      open.set(labels, isOpen ? 1 : 0);
      for (const outcome of outcomes) orders.set({ ...labels, outcome }, 0);
    }
    for (const { orders: count, ...labels } of state.orders) orders.set({ ...labels }, count);
  };
}
