import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '#config.ts';
import { ChangeFeed, notifyStatement } from '#db/change-feed.ts';
import { Database } from '#db/database.ts';
import { ensureLogin, urlAs } from '#db/login.ts';
import { onePlacement } from '#db/placement.ts';
import { countsOf, openPool, type PoolCounts } from '#db/pool.ts';
import { PrimarySnapshots, ReplicaSnapshots, type Snapshots } from '#db/snapshots.ts';

/** Connection settings of the databases; plain data, so that they can be passed to a thread. */
export interface DatabaseSettings {
  /** As the application, through the pooler if there is one. */
  url: string;
  /** As the application, without the pooler: LISTEN needs a session of its own. */
  listenUrl: string;
  isPooled: boolean;
  prepares: boolean;
  replicaUrl: string | undefined;
}

type WarningLog = Pick<FastifyBaseLogger, 'warn'>;

/** Derives the settings from the configuration; creates the application's login if it is missing. */
export async function databaseSettings(
  { appKey, pooler, replicaUrl }: Pick<Config, 'appKey' | 'pooler' | 'replicaUrl'>,
  ownerUrl: string,
): Promise<DatabaseSettings> {
  const login = await ensureLogin(ownerUrl, appKey);
  return {
    url: urlAs(pooler?.url ?? ownerUrl, login),
    listenUrl: urlAs(ownerUrl, login),
    isPooled: pooler !== undefined,
    prepares: pooler?.prepares ?? true,
    replicaUrl: replicaUrl === undefined ? undefined : urlAs(replicaUrl, login),
  };
}

/** Open databases: the primary, and a replica if there is one. */
export interface Databases {
  database: Database;
  /** Snapshots for reports and exports, on the replica if there is one. */
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
  const { url, listenUrl, isPooled, prepares, replicaUrl } = settings;
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
  const database = new Database(pool, { prepares, listener: feed, placement });
  const replica = replicaUrl === undefined ? undefined : openReplica(replicaUrl, poolSize, log);
  return {
    database,
    snapshots: replica
      ? new ReplicaSnapshots({
          primary: database,
          replica: new Database(replica, { prepares: true }),
          onFault: (error) => log.warn({ err: error }, 'the replica failed: read from the primary'),
        })
      : new PrimarySnapshots(database),
    feed,
    counts: () => countsOf(pool),
    close: async () => {
      await feed.close();
      await pool.end();
      await replica?.end();
    },
  };
}

function openReplica(url: string, poolSize: number, log: WarningLog) {
  return openPool(url, {
    max: poolSize,
    applicationName: 'hengfu reading',
    onError: (error) => log.warn({ err: error }, 'replica connection lost'),
  });
}
