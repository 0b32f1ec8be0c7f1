import pino from 'pino';
import { buildApp } from '#composition/app.ts';
import { openRuntime } from '#composition/runtime.ts';
import { Metrics } from '#observability/metrics.ts';
import { readConfig } from '../config.ts';
import { testKey } from './test-database.ts';
import type { TestProduct } from './test-product.ts';

/** Another web side on a product's database, with caches, event streams and a change feed of its own. */
export interface OtherWeb {
  url: string;
  close(): Promise<void>;
}

/** Starts a second web side; except for the shared event loop, it acts like another web process. */
export async function startOtherWeb(product: TestProduct): Promise<OtherWeb> {
  const config = readConfig({
    APP_KEY: testKey,
    DEMO: '1',
    DATA_DIR: product.dataDirectory,
    DATABASE_URL: product.ownerUrl,
    LOG_LEVEL: 'silent',
    DRAIN_SECONDS: '0',
  });
  const log = pino({ level: 'silent' });
  const { placement } = product.services.database;
  const { services, feed, close } = await openRuntime(
    { ...config, placement },
    product.ownerUrl,
    undefined,
    log,
  );
  await feed.start();
  const app = await buildApp({ config, services, feed, metrics: new Metrics(), log });
  return {
    url: await app.listen({ port: 0, host: '127.0.0.1' }),
    close: async () => {
      await app.close();
      await close();
    },
  };
}
