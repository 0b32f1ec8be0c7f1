import type { Logger } from 'pino';
import { joinForCommand } from '#composition/database-location.ts';
import { openRuntime } from '#composition/runtime.ts';
import { sandboxOf } from '#composition/sandbox-location.ts';
import type { Services } from '#composition/services.ts';
import { openStaff, type StaffRuntime } from '#composition/staff.ts';
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

/** The services and settings for a command. */
export interface CommandContext {
  services: Services;
  merchants: MerchantService;
  users: UserService;
  suspension: SuspensionService;
  keyRevocation: KeyRevocationService;
  /** The login that the product uses at its database. */
  login: Login;
  keys: Pick<Config, 'appKey' | 'previousKey'>;
  config: Config;
  ownerUrl: string;
  /** Runs work with the back office's services, as its own role. */
  withStaff: OwnerContext['withStaff'];
  /** The operator, for the audit trail. */
  actor: string;
}

/** Runs the work of a command, and prints its answer. */
export type Run = (work: (context: CommandContext) => Promise<Answer>) => Promise<void>;

/** The database as its owner, with its schema left as it is. */
export interface OwnerContext {
  config: Config;
  ownerUrl: string;
  /** Runs work with the product's services; the schema must be this version's. */
  withServices<T>(work: (services: Services) => Promise<T>): Promise<T>;
  /** Runs work with the back office's services, as its own role. */
  withStaff<T>(work: (staff: StaffRuntime) => Promise<T>): Promise<T>;
}

/** Runs the work of a command that needs only the database, and prints its answer. */
export type RunAsOwner = (work: (owner: OwnerContext) => Promise<Answer>) => Promise<void>;

/** Runs the work of a command that opens no database, or its own, and prints its answer. */
export type RunWithConfig = (work: (config: Config, log: Logger) => Promise<Answer>) => Promise<void>;

/** Reads the settings for a command, which connects to the database directly: a pooler knows the login of a new key only after a command has printed it. */
export function withConfig<T>(work: (config: Config, log: Logger) => Promise<T>): Promise<T> {
  const env = { ...process.env, LOG_LEVEL: process.env.LOG_LEVEL || 'warn' };
  const config = { ...readConfig(env), pooler: undefined };
  return work(config, openLog(config.logLevel, standardError));
}

/**
 * Opens the running product's database, or starts it, without archiving, for the duration of the command. Does not migrate it.
 */
export function asDatabaseOwner<T>(work: (owner: OwnerContext) => Promise<T>): Promise<T> {
  return withConfig(async (config, log) => {
    const { ownerUrl, stop } = await joinForCommand(config, log);
    try {
      return await work({
        config,
        ownerUrl,
        withServices: async (use) => {
          const runtime = await openRuntime(config, ownerUrl, sandboxOf(config), log);
          try {
            return await use(runtime.services);
          } finally {
            await runtime.close();
          }
        },
        withStaff: async (use) => {
          const staff = await openStaff({ ...config, isForCommand: true }, ownerUrl, log);
          try {
            return await use(staff);
          } finally {
            await staff.close();
          }
        },
      });
    } finally {
      await stop();
    }
  });
}

/** Like {@link asDatabaseOwner}, but migrates the database and opens the product's services. */
export function withContext<T>(work: (context: CommandContext) => Promise<T>): Promise<T> {
  return asDatabaseOwner(async ({ config, ownerUrl, withServices, withStaff }) => {
    await migrate(ownerUrl);
    return withServices((services) => {
      const actor = operatorName(process.env);
      return work({
        services,
        login: loginOf(config.appKey),
        keys: config,
        config,
        ownerUrl,
        withStaff,
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

/**
 * Returns the operator's name for the audit trail and requests. It cannot be checked: whoever runs commands sets it. So it stays recognizable as
 * such, and cannot look like anything else.
 */
export function operatorName({ USER, LOGNAME }: NodeJS.ProcessEnv): string {
  const name = (USER ?? LOGNAME ?? '').replaceAll(/[^\w.@-]/g, '_').slice(0, 64);
  return `operator:${name || 'unknown'}`;
}
