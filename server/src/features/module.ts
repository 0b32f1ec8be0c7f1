import type { FastifyBaseLogger } from 'fastify';
import type { EntryArchive } from '#archive/entry-archive.ts';
import type { TargetPolicy } from '#callbacks/target.ts';
import type { Adapters } from '#channels/channel.ts';
import type { Database, MerchantTx, Tx } from '#db/database.ts';
import type { Snapshots } from '#db/snapshots.ts';
import type { FileStore, ListedStore } from '#files/file-store.ts';
import type { Feature } from '#http/bind.ts';
import type { Guards } from '#http/guards.ts';
import type { StaffGuards } from '#http/staff-guards.ts';
import type { Recurring, Task } from '#jobs/jobs.ts';
import type { ArchivingState } from '#recovery/archiving.ts';
import type { Secrets } from '#security/secrets.ts';
import type { StaffPasskeys } from './staff/passkeys/staff-passkeys.ts';
import type { StaffSignIn } from './staff/staff-sign-in.ts';
import type { StaffEffectsByKind, StaffRequestService } from './staff-requests/staff-requests.service.ts';

/** The dependencies available to every module. */
export interface ModuleDeps {
  database: Database;
  /** For long reads, such as reports and exports. */
  snapshots: Snapshots;
  secrets: Secrets;
  /** Name of the installation, as authenticator apps show it. */
  title: string;
  /** Public base URL of the product; known only once the server listens. */
  appUrl: () => string;
  /** Adapters of the channels that move the money. */
  adapters: Adapters;
  /** Where callbacks may go. */
  targets: TargetPolicy;
  /** Storage for export files. */
  files: FileStore;
  /** Storage for archived months. */
  archive: FileStore;
  /** Storage for the roots of the sealed audit trail, outside the database. */
  auditRoots: ListedStore;
  /** Archived entries of the ledger and of the audit trail, for requests. */
  entries: EntryArchive;
  /** After how many months a closed month is archived; undefined turns it off. */
  archiveAfterMonths: number | undefined;
  log: Pick<FastifyBaseLogger, 'warn'>;
}

/** The job queues that merchants share fairly. SQL refers to `callbacks` by this name. */
export type QueueName = 'channels' | 'callbacks' | 'batches' | 'exports';

/** Tasks by the queue that runs them; `own` holds the installation's tasks, which belong to no merchant. */
export type TasksByQueue = Readonly<Partial<Record<QueueName | 'own', Readonly<Record<string, Task>>>>>;

/**
 * Everything that one feature adds to the product. A feature exports one function that builds its module, and
 * `composition/modules.ts` lists them all: no other file needs to know every feature.
 */
export interface FeatureModule<S extends object = object> {
  /** The feature's use cases, by names that are unique across all modules. */
  services: S;
  /** Endpoints of the console, the checkout and the public pages, each bound to its handler. */
  endpoints?: (guards: Guards) => readonly Feature[];
  /** Open API endpoints, which merchants' systems call with signed requests. */
  openEndpoints?: () => readonly Feature[];
  tasks?: TasksByQueue;
  recurring?: readonly Recurring[];
  /**
   * Schedules the work that was held while a merchant was suspended, in the transaction that reactivates it.
   */
  onMerchantReactivated?: (tx: MerchantTx) => Promise<void>;
  /** Deletes expired rows; each sweep runs every minute in its own transaction. */
  sweeps?: readonly ((tx: Tx) => Promise<unknown>)[];
}

/** The dependencies available to the modules of the back office. */
export interface StaffDeps {
  /** Works as `hengfu_staff`: for the merchant that a transaction names, or with the views across merchants. */
  database: Database;
  /** Works as `hengfu_accounts`, which adds and changes accounts of our staff; no call of the back office uses it. */
  accountsDatabase: Database;
  /** Actions that need a second person. */
  requests: StaffRequestService;
  /** From this amount on, in minor units of USDT, a second person has to agree to a credit or a payment. */
  fourEyesFromUsdtMinor: bigint;
  signIn: StaffSignIn;
  passkeys: StaffPasskeys;
  secrets: Secrets;
  /** Public base URL of the merchants' console, for links that our staff pass on. */
  appUrl: () => string;
  /** Storage for archived months. */
  archive: FileStore;
  /** For work that outlives its call. */
  log: Pick<FastifyBaseLogger, 'warn'>;
  /** How far the archiving of WAL has come, if this process does it. */
  archiving?: (() => ArchivingState) | undefined;
}

/** Everything that one feature adds to the back office; `composition/staff.ts` lists them all. */
export interface StaffModule<S extends object = object> {
  services: S;
  /** Endpoints of the back office, each bound to its handler. */
  endpoints: (guards: StaffGuards) => readonly Feature[];
  /** The actions of the feature that need a second person, by kind of request. */
  requests?: Partial<StaffEffectsByKind>;
  /** Deletes expired rows, every minute. */
  sweep?: () => Promise<void>;
}
