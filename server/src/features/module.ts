import type { Adapters } from '#channels/channel.ts';
import type { Database, MerchantTx, Tx } from '#db/database.ts';
import type { Snapshots } from '#db/snapshots.ts';
import type { FileStore } from '#files/file-store.ts';
import type { Feature } from '#http/bind.ts';
import type { Guards } from '#http/guards.ts';
import type { Recurring, Task } from '#jobs/jobs.ts';
import type { Secrets } from '#security/secrets.ts';

/** What every module may be built from. */
export interface ModuleDeps {
  database: Database;
  /** Long reads, such as reports and exports. */
  snapshots: Snapshots;
  secrets: Secrets;
  /** Name of the installation, as authenticator apps show it. */
  title: string;
  /** Public base address of the product; final only once the server listens. */
  appUrl: () => string;
  /** The channels that money moves through. */
  adapters: Adapters;
  /** Storage for the files of exports. */
  files: FileStore;
}

/** The queues in which merchants' jobs take turns. SQL refers to `callbacks` by this name. */
export type LineName = 'channels' | 'callbacks' | 'batches' | 'exports';

/** Tasks by the queue that runs them; `own` are the installation's, which belong to no merchant. */
export type TasksByLine = Readonly<Partial<Record<LineName | 'own', Readonly<Record<string, Task>>>>>;

/**
 * Everything that one feature adds to the product. A feature exports one function that builds its module, and
 * `composition/modules.ts` lists them all: no other file needs to know every feature.
 */
export interface FeatureModule<S extends object = object> {
  /** Its use cases, by names that are unique among all modules. */
  services: S;
  /** Calls of the console, the cashier and the public pages, each bound to its handler. */
  endpoints?: (guards: Guards) => readonly Feature[];
  /** Calls of merchants' programs, which are signed. */
  openEndpoints?: () => readonly Feature[];
  tasks?: TasksByLine;
  recurring?: readonly Recurring[];
  /** Plans the work that was held while a merchant was suspended, in the transaction that reactivates it. */
  onMerchantReactivated?: (tx: MerchantTx) => Promise<void>;
  /** Deletions of rows that have expired; run every minute, each in a transaction of its own. */
  sweeps?: readonly ((tx: Tx) => Promise<unknown>)[];
}
