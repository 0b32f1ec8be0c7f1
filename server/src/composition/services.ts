import { ArchiveReader } from '#archive/archive-reader.ts';
import { EntryArchive } from '#archive/entry-archive.ts';
import { CallbackSender } from '#callbacks/callbacks.ts';
import { anyTargets, publicTargets } from '#callbacks/target.ts';
import type { ChannelAdapters } from '#channels/callback.routes.ts';
import type { Adapters, ChannelAdapter } from '#channels/channel.ts';
import { findAdapterNames, isTestOrder } from '#channels/channels.sql.ts';
import { SandboxAdapter, type SandboxOptions } from '#channels/sandbox/sandbox-adapter.ts';
import type { Database, MerchantTx, Tx } from '#db/database.ts';
import { deleteOldReplies } from '#domain/idempotency.sql.ts';
import { deleteExpiredTries } from '#domain/throttle.sql.ts';
import type { WriteExport } from '#features/exports/exports.writing.ts';
import type { FeatureModule, ModuleDeps, QueueName } from '#features/module.ts';
import { deleteOldNonces } from '#http/access-key.sql.ts';
import { deleteOldCallCounts } from '#http/call-counts.sql.ts';
import { deleteOldCalls } from '#http/open-api/repeated-calls.sql.ts';
import { deleteEndedSessions } from '#http/session.sql.ts';
import { deleteOldBreakers } from '#jobs/breaker.sql.ts';
import type { Recurring, Task } from '#jobs/jobs.ts';
import { linesOf } from './fair-lines.ts';
import { buildModules, servicesOf } from './modules.ts';

export interface ServiceOptions extends Omit<ModuleDeps, 'adapters' | 'entries' | 'targets'> {
  /** Undefined if no sandbox bank runs. */
  sandbox: SandboxOptions | undefined;
  /** Demo mode: merchants' servers may run on this machine. */
  allowsPrivateTargets: boolean;
  writeExport: WriteExport;
}

const sweepTask = 'sessions.sweep';
/** Deletions of expired rows that belong to no feature. */
const sweeps = [
  deleteEndedSessions,
  deleteOldNonces,
  deleteOldCallCounts,
  deleteOldReplies,
  deleteOldCalls,
  deleteOldBreakers,
];

/** Every feature's services, built once; web side, workers and operator commands share them. */
export type Services = ReturnType<typeof buildServices>;

/** Builds every feature's module, and joins their services and tasks. */
export function buildServices({ sandbox, allowsPrivateTargets, writeExport, ...rest }: ServiceOptions) {
  const { database, secrets, snapshots, appUrl, archive } = rest;
  const entries = new EntryArchive(new ArchiveReader(archive));
  const adapters: Adapters = new Map<string, ChannelAdapter>(
    sandbox ? [['sandbox', new SandboxAdapter(sandbox)]] : [],
  );
  const targets = allowsPrivateTargets ? anyTargets : publicTargets();
  const modules = buildModules({ ...rest, adapters, entries, targets }, writeExport);
  const all: readonly FeatureModule[] = modules;
  const services = servicesOf(modules);
  const callbacks = new CallbackSender({
    database,
    secrets,
    targets,
    // A payout's state does not depend on whether its merchant was notified.
    onAcknowledged: { collection: services.collections.acknowledged, payout: async () => {} },
    onPaused: services.callbackEndpoints.paused,
  });
  return {
    ...services,
    modules: all,
    database,
    snapshots,
    secrets,
    appUrl,
    ...linesOf({
      channels: tasksOf(all, 'channels'),
      callbacks: { ...callbacks.tasks, ...tasksOf(all, 'callbacks') },
      batches: tasksOf(all, 'batches'),
      exports: tasksOf(all, 'exports'),
      own: {
        ...tasksOf(all, 'own'),
        [sweepTask]: () => sweep(database, [...sweeps, ...all.flatMap((module) => module.sweeps ?? [])]),
      },
    }),
    recurring: [
      ...all.flatMap(({ recurring = [] }) => recurring),
      { task: sweepTask, everySeconds: 60 },
    ] satisfies Recurring[],
    /** Each one schedules a feature's work that was held while a merchant was suspended. */
    onMerchantReactivated: all.flatMap(({ onMerchantReactivated: plan }) => plan ?? []) satisfies ((
      tx: MerchantTx,
    ) => Promise<void>)[],
    /** The adapter that speaks to a channel for live merchants; undefined for a channel that is unknown or not set up here. */
    adapterOf: async (channel: string): Promise<ChannelAdapter | undefined> =>
      adapters.get((await database.asSystem((tx) => findAdapterNames(tx, channel)))?.live ?? ''),
    /** The adapters that speak to a channel for live and for test merchants. */
    adaptersOf: async (channel: string): Promise<ChannelAdapters> => {
      const names = await database.asSystem((tx) => findAdapterNames(tx, channel));
      const named = (name = '') => adapters.get(name);
      return { live: named(names?.live), test: named(names?.test), isLive: names?.isLive === true };
    },
    /** Whether an order that a channel reports on belongs to a test merchant. */
    isTestOrder: (orders: 'collection' | 'payout', number: string): Promise<boolean> =>
      database.asSystem((tx) => isTestOrder(tx, orders, number)),
  };
}

/** The tasks of all features that one queue runs. */
function tasksOf(modules: readonly FeatureModule[], line: QueueName | 'own'): Record<string, Task> {
  return Object.assign({}, ...modules.map(({ tasks }) => tasks?.[line]));
}

/** Deletes expired rows, each kind in a transaction of its own. */
async function sweep(database: Database, sweeps: readonly ((tx: Tx) => Promise<unknown>)[]): Promise<void> {
  for (const each of sweeps) await database.asSystem(async (tx) => void (await each(tx)));
  while (await database.asSystem(deleteExpiredTries));
}
