import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { ChangeFeed, notifyStatement } from '#db/change-feed.ts';
import { Database } from '#db/database.ts';
import { ensureLogin } from '#db/migrate.ts';
import { openPool } from '#db/pool.ts';
import { DirectoryStore } from '#files/file-store.ts';
import { S3Store } from '#files/s3-store.ts';
import { Secrets } from '#secrets.ts';
import type { Config } from './config.ts';
import { buildServices, type Services } from './services.ts';

/** The parts of a process that stand on the database. */
export interface Runtime {
  services: Services;
  feed: ChangeFeed;
  /** Public base address; set once the port is known. */
  setAppUrl(url: string): void;
  close(): Promise<void>;
}

const poolSize = 20;

/** Opens the database as the application (never as its owner) and puts the services together. */
export async function openRuntime(
  config: Pick<Config, 'appKey' | 'appUrl' | 'dataDir' | 'demo' | 'storage' | 'title'>,
  ownerUrl: string,
  sandbox: { url: string; secret: string } | undefined,
  log: FastifyBaseLogger,
): Promise<Runtime> {
  const loginUrl = await ensureLogin(ownerUrl, config.appKey);
  const pool = openPool(loginUrl, {
    max: poolSize,
    applicationName: 'hengfu',
    onError: (error) => log.warn({ err: error }, 'database connection lost'),
  });
  const feed = new ChangeFeed({
    send: (text) => pool.query(notifyStatement, [text]),
    listenUrl: loginUrl,
    onError: (error) => log.warn({ err: error }, 'change feed'),
  });
  let appUrl = config.appUrl ?? '';
  const services = buildServices({
    database: new Database(pool, (merchantId, topics) => feed.publish(merchantId, topics)),
    secrets: new Secrets(config.appKey),
    title: config.title,
    appUrl: () => appUrl,
    sandbox,
    allowsPrivateTargets: config.demo,
    files: config.storage ? new S3Store(config.storage) : new DirectoryStore(join(config.dataDir, 'exports')),
  });
  return {
    services,
    feed,
    setAppUrl: (url) => {
      appUrl = url;
    },
    close: async () => {
      await feed.close();
      await pool.end();
    },
  };
}
