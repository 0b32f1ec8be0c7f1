import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { ChangeFeed, notifyStatement } from '#db/change-feed.ts';
import { Database } from '#db/database.ts';
import { ensureLogin, urlAs } from '#db/login.ts';
import { countsOf, openPool, type PoolCounts } from '#db/pool.ts';
import { PrimarySnapshots, ReplicaSnapshots } from '#db/snapshots.ts';
import { DirectoryStore } from '#files/file-store.ts';
import { S3Store } from '#files/s3-store.ts';
import { Secrets } from '#secrets.ts';
import type { Config } from './config.ts';
import { buildServices, type Services } from './services.ts';

/** The parts of a process that stand on the database. */
export interface Runtime {
  services: Services;
  feed: ChangeFeed;
  pool: () => PoolCounts;
  /** Public base address; set once the port is known. */
  setAppUrl(url: string): void;
  close(): Promise<void>;
}

type RuntimeConfig = Pick<
  Config,
  | 'appKey'
  | 'appUrl'
  | 'dataDir'
  | 'demo'
  | 'otherKey'
  | 'pooler'
  | 'poolSize'
  | 'replicaUrl'
  | 'storage'
  | 'title'
>;

/** Opens the database as the application (never as its owner) and puts the services together. */
export async function openRuntime(
  config: RuntimeConfig,
  ownerUrl: string,
  sandbox: { url: string; secret: string } | undefined,
  log: FastifyBaseLogger,
): Promise<Runtime> {
  const login = await ensureLogin(ownerUrl, config.appKey);
  const pool = openPool(urlAs(config.pooler?.url ?? ownerUrl, login), {
    max: config.poolSize,
    applicationName: 'hengfu',
    isPooled: config.pooler !== undefined,
    onError: (error) => log.warn({ err: error }, 'database connection lost'),
  });
  const feed = new ChangeFeed({
    send: (channel, text) => pool.query(notifyStatement, [channel, text]),
    // Whoever listens needs a session of its own.
    listenUrl: urlAs(ownerUrl, login),
    onError: (error) => log.warn({ err: error }, 'change feed'),
  });
  let appUrl = config.appUrl ?? '';
  const database = new Database(pool, { prepares: config.pooler?.prepares ?? true, listener: feed });
  const replicaPool =
    config.replicaUrl === undefined
      ? undefined
      : openPool(urlAs(config.replicaUrl, login), {
          max: config.poolSize,
          applicationName: 'hengfu reading',
          onError: (error) => log.warn({ err: error }, 'replica connection lost'),
        });
  const services = buildServices({
    database,
    snapshots: replicaPool
      ? new ReplicaSnapshots({
          primary: database,
          replica: new Database(replicaPool, { prepares: true }),
          onFault: (error) => log.warn({ err: error }, 'read from the database: the replica could not be'),
        })
      : new PrimarySnapshots(database),
    secrets: new Secrets(config.appKey, config.otherKey),
    title: config.title,
    appUrl: () => appUrl,
    sandbox,
    allowsPrivateTargets: config.demo,
    files: config.storage ? new S3Store(config.storage) : new DirectoryStore(join(config.dataDir, 'exports')),
  });
  return {
    services,
    feed,
    pool: () => countsOf(pool),
    setAppUrl: (url) => {
      appUrl = url;
    },
    close: async () => {
      await feed.close();
      await pool.end();
      await replicaPool?.end();
    },
  };
}
