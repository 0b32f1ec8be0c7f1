import { joinDatabase } from '#composition/database-location.ts';
import { openRuntime } from '#composition/runtime.ts';
import type { Services } from '#composition/services.ts';
import { type Login, loginOf } from '#db/login.ts';
import { migrate } from '#db/migrate.ts';
import { openLog } from '#observability/log.ts';
import { type Config, readConfig } from '../config.ts';
import { MerchantService } from '../features/merchants/merchants.service.ts';
import { UserService } from '../features/merchants/users.service.ts';
import { KeyRevocationService } from '../features/suspension/key-revocation.service.ts';
import { SuspensionService } from '../features/suspension/suspension.service.ts';
import type { Answer } from './print.ts';

const standardError = 2;

/** What a command works with. */
export interface CommandContext {
  services: Services;
  merchants: MerchantService;
  users: UserService;
  suspension: SuspensionService;
  keyRevocation: KeyRevocationService;
  /** Whom the product signs in to its database as. */
  login: Login;
  keys: Pick<Config, 'appKey' | 'previousKey'>;
  ownerUrl: string;
  /** Who acts, for the trail. */
  actor: string;
}

/** Runs one command's work and prints what it answers. */
export type Run = (work: (context: CommandContext) => Promise<Answer>) => Promise<void>;

/** The database as its owner, as it stands. */
export interface OwnerContext {
  config: Config;
  ownerUrl: string;
  /** The product's services on it, whose schema must be this version's. */
  withServices<T>(work: (services: Services) => Promise<T>): Promise<T>;
}

/** Runs the work of a command that needs the database alone, and prints what it answers. */
export type RunAsOwner = (work: (owner: OwnerContext) => Promise<Answer>) => Promise<void>;

/** Opens the running product's database (or starts it for as long as the command takes) and leaves its schema alone. */
export async function asDatabaseOwner<T>(work: (owner: OwnerContext) => Promise<T>): Promise<T> {
  const config = readConfig({ LOG_LEVEL: 'warn', ...process.env });
  const log = openLog(config.logLevel, standardError);
  const { ownerUrl, stop } = await joinDatabase(config, log);
  try {
    return await work({
      config,
      ownerUrl,
      withServices: async (use) => {
        const runtime = await openRuntime(config, ownerUrl, undefined, log);
        try {
          return await use(runtime.services);
        } finally {
          await runtime.close();
        }
      },
    });
  } finally {
    await stop();
  }
}

/** The same with this version's schema, and with the product's services. */
export function withContext<T>(work: (context: CommandContext) => Promise<T>): Promise<T> {
  return asDatabaseOwner(async ({ config, ownerUrl, withServices }) => {
    await migrate(ownerUrl);
    return withServices((services) => {
      const actor = `operator:${process.env.USER ?? process.env.LOGNAME ?? 'unknown'}`;
      return work({
        services,
        login: loginOf(config.appKey),
        keys: config,
        ownerUrl,
        actor,
        merchants: new MerchantService(services.database, services.secrets, actor),
        users: new UserService(services.database, actor),
        suspension: new SuspensionService({
          database: services.database,
          actor,
          onReactivated: services.onMerchantReactivated,
        }),
        keyRevocation: new KeyRevocationService(services.database, actor),
      });
    });
  });
}
