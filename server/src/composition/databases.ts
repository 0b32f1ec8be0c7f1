import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '#config.ts';
import { ChangeFeed, notifyStatement } from '#db/change-feed.ts';
import { Database } from '#db/database.ts';
import { ensureLogin, urlAs } from '#db/login.ts';
import { onePlacement } from '#db/placement.ts';
import { countsOf, openPool, type PoolCounts } from '#db/pool.ts';
import { PrimarySnapshots, ReplicaSnapshots, type Snapshots } from '#db/snapshots.ts';
import { addressOf, readableUrl } from '#security/database-url.ts';

/** Connection settings of the databases; plain data, so that they can be passed to a thread. */
export interface DatabaseSettings {
  /** As the application, through the pooler if there is one. */
  url: string;
  /** As the application, without the pooler: LISTEN needs a session of its own. */
  listenUrl: string;
  isPooled: boolean;
  prepares: boolean;
  /** As the application, one per replica. */
  replicaUrls: readonly string[];
}

type WarningLog = Pick<FastifyBaseLogger, 'warn'>;

/** Derives the settings from the configuration; creates the application's login if it is missing. */
export async function databaseSettings(
  { appKey, pooler, replicaUrls }: Pick<Config, 'appKey' | 'pooler' | 'replicaUrls'>,
  ownerUrl: string,
): Promise<DatabaseSettings> {
  const login = await ensureLogin(ownerUrl, appKey);
  return {
    url: urlAs(pooler?.url ?? ownerUrl, login),
    listenUrl: urlAs(ownerUrl, login),
    isPooled: pooler !== undefined,
    prepares: pooler?.prepares ?? true,
    replicaUrls: replicaUrls.map((url) => readableUrl(urlAs(url, login))),
  };
}

/** Open databases: the primary, and its replicas if there are any. */
export interface Databases {
  database: Database;
  /** Snapshots for long reads, on a replica if there is one. */
  snapshots: Snapshots;
  /** Sends notifications of changes; receives them once it is started. */
  feed: ChangeFeed;
  counts: () => PoolCounts;
  /** Sends pending notifications, and closes the connections once their transactions have ended. */
  close(): Promise<void>;
}

/**
 * Opens the databases as the application, never as their owner. `poolSize`: maximum connections to each; `placement`: where
 * the merchants' rows are stored.
 */
export function openDatabases(
  settings: DatabaseSettings,
  poolSize: number,
  log: WarningLog,
  placement = onePlacement,
): Databases {
  const { url, listenUrl, isPooled, prepares, replicaUrls } = settings;
  const pool = openPool(url, {
    max: poolSize,
    applicationName: 'hengfu',
    isPooled,
    onError: (error) => log.warn({ err: error }, 'database connection lost'),
  });
  const feed = new ChangeFeed({
    send: (channel, text) => pool.query(notifyStatement, [channel, text]),
    listenUrl,
    onError: (error) => log.warn({ err: error }, 'change feed'),
  });
  const database = new Database(pool, { prepares, isPooled, listener: feed, placement });
  const replicas = replicaUrls.map((replicaUrl) => openReplica(replicaUrl, poolSize, log));
  return {
    database,
    snapshots:
      replicas.length > 0
        ? new ReplicaSnapshots({
            primary: database,
            replicas,
            onFault: (replica, error) =>
              log.warn({ err: error, replica }, 'a replica failed: it is not read from for half a minute'),
          })
        : new PrimarySnapshots(database),
    feed,
    counts: () => countsOf(pool),
    close: async () => {
      await feed.close();
      await pool.end();
      await Promise.all(replicas.map(({ pool: each }) => each.end()));
    },
  };
}

function openReplica(url: string, poolSize: number, log: WarningLog) {
  const { host, port } = addressOf(url);
  const name = `${host}:${port}`;
  const pool = openPool(url, {
    max: poolSize,
    applicationName: 'hengfu reading',
    onError: (error) => log.warn({ err: error, replica: name }, 'replica connection lost'),
  });
  return { name, pool, database: new Database(pool, { prepares: true }) };
}
