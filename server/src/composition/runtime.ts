import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '#config.ts';
import type { ChangeFeed } from '#db/change-feed.ts';
import type { Placement } from '#db/placement.ts';
import type { PoolCounts } from '#db/pool.ts';
import { Secrets } from '#security/secrets.ts';
import { databaseSettings, openDatabases } from './databases.ts';
import { openArchiveStore, openAuditRootStore, openExportStore } from './export-store.ts';
import { ExportThread } from './export-thread.ts';
import { buildServices, type Services } from './services.ts';

/** The parts of a process that depend on the database. */
export interface Runtime {
  services: Services;
  feed: ChangeFeed;
  pool: () => PoolCounts;
  /** Sets the public base URL, once the port is known. */
  setAppUrl(url: string): void;
  close(): Promise<void>;
}

type RuntimeConfig = Pick<
  Config,
  | 'archiveAfterMonths'
  | 'auditRoots'
  | 'appKey'
  | 'appUrl'
  | 'dataDir'
  | 'demo'
  | 'previousKey'
  | 'pooler'
  | 'poolSize'
  | 'replicaUrls'
  | 'storage'
  | 'title'
> & {
  /** Where the merchants' rows are stored; one placement if absent. */
  placement?: Placement;
};

/** Opens the database as the application (never as its owner) and builds the services. */
export async function openRuntime(
  config: RuntimeConfig,
  ownerUrl: string,
  sandbox: { url: string; secret: string } | undefined,
  log: FastifyBaseLogger,
): Promise<Runtime> {
  const settings = await databaseSettings(config, ownerUrl);
  const { database, snapshots, feed, counts, close } = openDatabases(
    settings,
    config.poolSize,
    log,
    config.placement,
  );
  const { storage, dataDir } = config;
  const exportThread = new ExportThread(settings, { storage, dataDir }, log);
  let appUrl = config.appUrl ?? '';
  const services = buildServices({
    database,
    snapshots,
    sandbox: sandbox && { ...sandbox, log },
    secrets: new Secrets(config.appKey, config.previousKey),
    title: config.title,
    appUrl: () => appUrl,
    allowsPrivateTargets: config.demo,
    files: await openExportStore({ storage, dataDir }),
    archive: await openArchiveStore({ storage, dataDir }),
    auditRoots: await openAuditRootStore(config),
    archiveAfterMonths: config.archiveAfterMonths,
    writeExport: exportThread.write,
    log,
  });
  return {
    services,
    feed,
    pool: counts,
    setAppUrl: (url) => {
      appUrl = url;
    },
    close: async () => {
      await exportThread.close();
      await close();
    },
  };
}
