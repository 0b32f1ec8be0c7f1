import pino from 'pino';
import { migrate } from '#db/migrate.ts';
import { readConfig } from '../config.ts';
import { joinDatabasePlace } from '../database-place.ts';
import { MerchantService } from '../features/merchants/merchants.service.ts';
import { UserService } from '../features/merchants/users.service.ts';
import { openRuntime } from '../runtime.ts';
import type { Services } from '../services.ts';
import type { Answer } from './print.ts';

/** What a command works with. */
export interface Desk {
  services: Services;
  merchants: MerchantService;
  users: UserService;
  /** Who acts, for the trail. */
  actor: string;
}

/** Runs one command's work and prints what it answers. */
export type Run = (work: (desk: Desk) => Promise<Answer>) => Promise<void>;

/** Opens the running product's database (or starts it for as long as the command takes) and does the work there. */
export async function atDesk<T>(work: (desk: Desk) => Promise<T>): Promise<T> {
  const config = readConfig({ LOG_LEVEL: 'warn', ...process.env });
  const log = pino({ level: config.logLevel }, pino.destination(2));
  const place = await joinDatabasePlace(config, log);
  try {
    await migrate(place.ownerUrl);
    const runtime = await openRuntime(config, place.ownerUrl, undefined, log);
    try {
      const { services } = runtime;
      const actor = `operator:${process.env.USER ?? process.env.LOGNAME ?? 'unknown'}`;
      return await work({
        services,
        actor,
        merchants: new MerchantService(services.database, services.secrets, actor),
        users: new UserService(services.database, actor),
      });
    } finally {
      await runtime.close();
    }
  } finally {
    await place.stop();
  }
}
