import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseAmount } from '@hengfu/contract/money';
import { type CallLimit, callLimits } from '@hengfu/contract/open-api';
import * as z from 'zod';
import {
  type ArchivePlace,
  readArchivePlace,
  readStorageLocation,
  type StorageLocation,
} from '#files/storage-url.ts';
import { type Block, parseBlock } from '#security/addresses.ts';
import { DatabaseUrlError, parseDatabaseUrl, parseReplicaUrls } from '#security/database-url.ts';
import { ConfigError } from './settings/config-error.ts';
import { defaultFourEyesFrom, type StaffSettings, staffSettings } from './settings/staff-settings.ts';

const port = z.coerce.number().int().min(0).max(65_535);
const flag = z
  .enum(['0', '1', 'true', 'false', 'on', 'off'])
  .transform((text) => ['1', 'true', 'on'].includes(text));
const key = z
  .string()
  .regex(/^[0-9a-fA-F]{64}$/, 'must be 64 hexadecimal digits (openssl rand -hex 32)')
  .transform((digits) => Buffer.from(digits, 'hex'));
const blockList = z.string().transform((text, context): Block[] => {
  const items = text.split(/[\s,]+/).filter(Boolean);
  const blocks = items.flatMap((item) => parseBlock(item) ?? []);
  if (blocks.length < items.length)
    context.addIssue({ code: 'custom', message: 'must be addresses or CIDR blocks' });
  if (blocks.some(({ prefixLength }) => prefixLength === 0))
    context.addIssue({ code: 'custom', message: 'must not contain every address' });
  return blocks;
});

const writableDatabase = z.string().superRefine((text, context) => {
  if (!parsedOr(context, true, () => parseDatabaseUrl(text).needsWrites))
    context.addIssue({ code: 'custom', message: 'needs target_session_attrs=read-write, or none' });
});

/** Returns what `parse` does, or reports a faulty URL and returns `instead`. */
function parsedOr<T>(context: z.RefinementCtx, instead: T, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof DatabaseUrlError)) throw error;
    context.addIssue({ code: 'custom', message: error.message });
    return instead;
  }
}

const archivePlaceText = 'must read file:///path of a directory or s3://KEY:SECRET@host/bucket?region=…';

/** The environment variables that the product reads. All are optional, but for APP_KEY outside demo mode. */
const environment = z.object({
  PORT: port.default(8080),
  HOST: z.string().min(1).default('127.0.0.1'),
  DATA_DIR: z.string().min(1).default('data'),
  /** May name several hosts, of which one accepts writes. */
  DATABASE_URL: writableDatabase.optional(),
  /** A pooler in transaction mode, for all statements that need no session of their own. It may name several hosts, too. */
  POOLER_URL: writableDatabase.optional(),
  /** Whether the pooler supports prepared statements (PgBouncer 1.21 with `max_prepared_statements`). */
  POOLER_PREPARES: flag.default(true),
  /** Streaming replicas of the database, separated by commas: exports, reports, searches and lists of the past are read there. */
  REPLICA_URL: z
    .string()
    .transform((text, context) => parsedOr(context, [], () => parseReplicaUrls(text)))
    .default([]),
  APP_KEY: key.optional(),
  /** The second key during a key rotation, normally the previous one: whatever it encrypted or signed stays valid. */
  APP_KEY_PREVIOUS: key.optional(),
  APP_TITLE: z.string().min(1).max(64).default('衡付 Hengfu'),
  APP_URL: z.url({ protocol: /^https?$/ }).optional(),
  DEMO: flag.optional(),
  TRUST_PROXY: blockList.default([]),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).optional(),
  METRICS_PORT: port.optional(),
  /** An OpenTelemetry collector that receives traces over HTTP; tracing is off without it. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  SANDBOX_PORT: port.optional(),
  /** The sandbox bank, if another process of the installation runs it. */
  SANDBOX_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** Shared with a sandbox bank that another process runs; derived from APP_KEY if absent. */
  SANDBOX_SECRET: z.string().min(16, 'must have 16 characters or more').optional(),
  /** The merchants that the sandbox bank serves: test merchants alone, or live ones, too, as in demo mode. */
  SANDBOX_SERVES: z.enum(['test', 'all']).optional(),
  /** Simulates payers in demo mode, so that the dashboard shows activity. */
  DEMO_AUTOPILOT: flag.default(true),
  /** Bucket for exported files: `s3://KEY:SECRET@host/bucket?region=…`; DATA_DIR if absent. */
  STORAGE_URL: z
    .string()
    .transform(readStorageLocation)
    .refine((location) => location !== undefined, 'must read s3://KEY:SECRET@host/bucket?region=…')
    .optional(),
  /** Months after which a closed month of timelines and callback attempts is moved to the file store. */
  ARCHIVE_AFTER_MONTHS: z.coerce.number().int().min(3).max(1200).optional(),
  /** Where the WAL and base backups of the embedded database are archived; off if absent. */
  WAL_ARCHIVE_URL: z
    .string()
    .transform(readArchivePlace)
    .refine((place) => place !== undefined, archivePlaceText)
    .optional(),
  /** Encrypts that archive; not APP_KEY, because whoever restores needs both. */
  WAL_ARCHIVE_KEY: key.optional(),
  /** The key before it, with which older files are still read. */
  WAL_ARCHIVE_KEY_PREVIOUS: key.optional(),
  /** How many days back a restore can reach. */
  WAL_ARCHIVE_KEEP_DAYS: z.coerce.number().int().min(1).max(3650).default(14),
  /** Where the roots of the sealed audit trail are kept, best where the database's administrators cannot write. */
  AUDIT_ROOTS_URL: z
    .string()
    .transform(readArchivePlace)
    .refine((place) => place !== undefined, archivePlaceText)
    .optional(),
  /** Port of the back office; two above PORT by default, 0 picks a free one. */
  STAFF_PORT: port.optional(),
  STAFF_HOST: z.string().min(1).default('127.0.0.1'),
  /** Public address of the back office. Outside demo mode, there is none without it. */
  STAFF_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** From this amount on, in USDT, a second member of our staff has to agree to a credit or a payment. */
  FOUR_EYES_FROM: z
    .string()
    .refine((text) => parseAmount(text, 'USDT') !== undefined, 'must be an amount in USDT, such as 1000')
    .default(defaultFourEyesFrom),
  /** How many signed calls of one merchant a web process answers in a minute, and how many lists. */
  SIGNED_CALLS_PER_MINUTE: z.coerce.number().int().min(1).max(10_000_000).default(callLimits.calls.quota),
  SIGNED_LISTS_PER_MINUTE: z.coerce.number().int().min(1).max(10_000_000).default(callLimits.lists.quota),
  /** Whether signed calls are kept for their merchants to read. */
  REQUEST_LOG: flag.default(true),
  /** Maximum database connections per process. */
  POOL_SIZE: z.coerce.number().int().min(2).max(1000).default(20),
  /** How long a stopping web process keeps answering, until load balancers have noticed. */
  DRAIN_SECONDS: z.coerce.number().min(0).max(600).default(0.5),
  /** The work that this process does. */
  PROCESS: z.enum(['all', 'web', 'worker', 'staff']).default('all'),
});

/** A connection pooler. The name and password in its URL are replaced by the application's own. */
export interface PoolerConfig {
  url: string;
  prepares: boolean;
}

/** Where the embedded database's WAL and base backups are archived. */
export interface WalArchiveConfig {
  place: ArchivePlace;
  /** The first one encrypts; each decrypts. */
  keys: readonly [Buffer, ...Buffer[]];
  keepDays: number;
}

/** The product's validated settings. */
export interface Config extends StaffSettings {
  port: number;
  host: string;
  dataDir: string;
  databaseUrl: string | undefined;
  pooler: PoolerConfig | undefined;
  /** One URL per replica. The names and passwords in them are replaced by the application's own. */
  replicaUrls: readonly string[];
  /** 32 bytes: encrypts secrets at rest and signs anything that must not be forged. */
  appKey: Buffer;
  /** The second key during a key rotation: the previous one, or the next one while it is being rolled out. */
  previousKey: Buffer | undefined;
  title: string;
  /** Public base URL without a trailing slash; undefined until the port is known. */
  appUrl: string | undefined;
  demo: boolean;
  trustedProxies: Block[];
  logLevel: NonNullable<z.output<typeof environment>['LOG_LEVEL']>;
  /** Separate port for /metrics; 0 picks a free one, undefined means port + 1000 if that is free. */
  metricsPort: number | undefined;
  /** Where traces are sent; undefined turns tracing off. */
  tracesUrl: string | undefined;
  /** Bucket for exported files; undefined keeps them in {@link dataDir}. */
  storage: StorageLocation | undefined;
  /** Months after which a closed month is archived; undefined turns it off. */
  archiveAfterMonths: number | undefined;
  /** Where the roots of the sealed audit trail are kept; undefined keeps them with the exports. */
  auditRoots: ArchivePlace | undefined;
  /** Undefined turns the archiving of WAL off. */
  walArchive: WalArchiveConfig | undefined;
  sandboxPort: number | undefined;
  sandboxUrl: string | undefined;
  /** Signs what the product and its sandbox bank send each other; undefined derives it from {@link appKey}. */
  sandboxSecret: string | undefined;
  /** The sandbox bank serves live merchants, too, not only in test mode. */
  isSandboxLive: boolean;
  autopilot: boolean;
  /** Signed calls of one merchant that a web process answers in a minute, by limit. */
  callQuotas: Readonly<Record<CallLimit, number>>;
  keepsRequests: boolean;
  poolSize: number;
  drainSeconds: number;
  web: boolean;
  worker: boolean;
  /** Runs the embedded database and the sandbox bank; other processes connect to them. */
  ownsInstallation: boolean;
}

/**
 * Reads and validates the environment; an empty variable counts as absent. Throws {@link ConfigError} naming
 * each fault.
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = environment.safeParse(given);
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    throw new ConfigError(`Invalid settings:\n  ${faults.join('\n  ')}`);
  }
  const value = parsed.data;
  const demo = value.DEMO ?? value.DATABASE_URL === undefined;
  const dataDir = resolve(value.DATA_DIR);
  assertOwnPorts(value);
  return {
    port: value.PORT,
    host: value.HOST,
    dataDir,
    databaseUrl: value.DATABASE_URL,
    pooler: value.POOLER_URL ? { url: value.POOLER_URL, prepares: value.POOLER_PREPARES } : undefined,
    replicaUrls: value.REPLICA_URL,
    appKey: value.APP_KEY ?? demoKey(demo, dataDir),
    previousKey: value.APP_KEY_PREVIOUS,
    title: value.APP_TITLE,
    appUrl: value.APP_URL?.replace(/\/+$/, ''),
    demo,
    trustedProxies: value.TRUST_PROXY,
    // The demo's terminal shows messages for people; production logs every request.
    logLevel: value.LOG_LEVEL ?? (demo ? 'warn' : 'info'),
    metricsPort: value.METRICS_PORT,
    tracesUrl: value.OTEL_EXPORTER_OTLP_ENDPOINT,
    storage: value.STORAGE_URL,
    archiveAfterMonths: value.ARCHIVE_AFTER_MONTHS,
    auditRoots: value.AUDIT_ROOTS_URL,
    walArchive: walArchiveOf(value),
    sandboxPort: value.SANDBOX_PORT,
    sandboxUrl: value.SANDBOX_URL,
    sandboxSecret: value.SANDBOX_SECRET,
    isSandboxLive: value.SANDBOX_SERVES ? value.SANDBOX_SERVES === 'all' : demo,
    keepsRequests: value.REQUEST_LOG,
    autopilot: demo && value.DEMO_AUTOPILOT,
    callQuotas: { calls: value.SIGNED_CALLS_PER_MINUTE, lists: value.SIGNED_LISTS_PER_MINUTE },
    poolSize: value.POOL_SIZE,
    drainSeconds: value.DRAIN_SECONDS,
    web: value.PROCESS === 'all' || value.PROCESS === 'web',
    worker: value.PROCESS === 'all' || value.PROCESS === 'worker',
    ...staffSettings(value, demo),
    ownsInstallation: value.PROCESS === 'all',
  };
}

/** Throws a {@link ConfigError} if the back office is to listen where the sandbox bank does, on the port after the console's. 0 is any free port. */
function assertOwnPorts(value: z.output<typeof environment>): void {
  const { PORT, STAFF_PORT, SANDBOX_PORT = PORT + 1, SANDBOX_URL, PROCESS } = value;
  if (PROCESS === 'all' && SANDBOX_URL === undefined && STAFF_PORT !== 0 && STAFF_PORT === SANDBOX_PORT)
    throw new ConfigError(
      `STAFF_PORT cannot be ${SANDBOX_PORT}: the sandbox bank listens there. Choose another one, or set SANDBOX_PORT.`,
    );
}

function walArchiveOf(value: z.output<typeof environment>): WalArchiveConfig | undefined {
  const place = value.WAL_ARCHIVE_URL;
  if (!place) return undefined;
  if (value.DATABASE_URL)
    throw new ConfigError(
      'WAL_ARCHIVE_URL archives the embedded database. For your own PostgreSQL at DATABASE_URL, use its own archiving.',
    );
  const { WAL_ARCHIVE_KEY: key, WAL_ARCHIVE_KEY_PREVIOUS: previous, APP_KEY: appKey } = value;
  if (!key || (appKey && key.equals(appKey)))
    throw new ConfigError(
      'WAL_ARCHIVE_URL needs a WAL_ARCHIVE_KEY of its own, other than APP_KEY: 64 hexadecimal digits (openssl rand -hex 32).',
    );
  return { place, keys: previous ? [key, previous] : [key], keepDays: value.WAL_ARCHIVE_KEEP_DAYS };
}

/** Creates a key in the data directory on the first start in demo mode; production must set APP_KEY. */
function demoKey(demo: boolean, dataDir: string): Buffer {
  if (!demo)
    throw new ConfigError(
      'APP_KEY is needed outside demo mode: 64 hexadecimal digits (openssl rand -hex 32).',
    );
  const file = join(dataDir, 'app.key');
  if (!existsSync(file)) {
    mkdirSync(dataDir, { recursive: true });
    writeFileSync(file, randomBytes(32).toString('hex'), { mode: 0o600, flag: 'wx' });
  }
  return Buffer.from(readFileSync(file, 'utf8').trim(), 'hex');
}
