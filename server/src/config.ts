import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { readStorageLocation, type StorageLocation } from '#files/storage-url.ts';
import { type Block, parseBlock } from '#security/addresses.ts';

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

/** Every variable of the environment that the product reads; all optional. */
const environment = z.object({
  PORT: port.default(8080),
  HOST: z.string().min(1).default('127.0.0.1'),
  DATA_DIR: z.string().min(1).default('data'),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  /** A pooler in transaction mode in front of that database: what needs no session of its own goes through it. */
  POOLER_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  /** Whether that pooler keeps prepared statements: PgBouncer does from 1.21 on, with `max_prepared_statements`. */
  POOLER_PREPARES: flag.default(true),
  /** A streaming replica of that database: reports and exports are read from it. */
  REPLICA_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  APP_KEY: key.optional(),
  /** While APP_KEY is changed: the other one, whose secrets and marks are good, too. */
  APP_KEY_PREVIOUS: key.optional(),
  APP_TITLE: z.string().min(1).max(64).default('衡付 Hengfu'),
  APP_URL: z.url({ protocol: /^https?$/ }).optional(),
  DEMO: flag.optional(),
  TRUST_PROXY: blockList.default([]),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).optional(),
  METRICS_PORT: port.optional(),
  /** An OpenTelemetry collector that takes traces by HTTP; nothing is traced where it is absent. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  SANDBOX_PORT: port.optional(),
  /** A sandbox bank that another process of the installation runs. */
  SANDBOX_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** Demo mode's own payers, who keep the dashboard alive. */
  DEMO_AUTOPILOT: flag.default(true),
  /** Where the files of exports are kept: `s3://KEY:SECRET@host/bucket?region=…`; beside the data where absent. */
  STORAGE_URL: z
    .string()
    .transform(readStorageLocation)
    .refine((place) => place !== undefined, 'must read s3://KEY:SECRET@host/bucket?region=…')
    .optional(),
  /** Connections of one process to the database, at most. */
  POOL_SIZE: z.coerce.number().int().min(2).max(1000).default(20),
  /** How long a web process that is to stop goes on answering, for those who have not heard of it yet. */
  DRAIN_SECONDS: z.coerce.number().min(0).max(600).default(0.5),
  /** Which work this process does. */
  PROCESS: z.enum(['all', 'web', 'worker']).default('all'),
});

/** A pooler of connections; name and password in its URL are replaced by the application's own. */
export interface PoolerPlace {
  url: string;
  prepares: boolean;
}

/** The product's settings, checked. */
export interface Config {
  port: number;
  host: string;
  dataDir: string;
  databaseUrl: string | undefined;
  pooler: PoolerPlace | undefined;
  /** Name and password in it are replaced by the application's own. */
  replicaUrl: string | undefined;
  /** 32 bytes: encrypts secrets at rest and signs what must not be forged. */
  appKey: Buffer;
  /** Before or after {@link appKey}, while it is changed. */
  previousKey: Buffer | undefined;
  title: string;
  /** Public base address, without a slash at the end; undefined until the port is known. */
  appUrl: string | undefined;
  demo: boolean;
  trustedProxies: Block[];
  logLevel: NonNullable<z.output<typeof environment>['LOG_LEVEL']>;
  /** Own port for /metrics; 0 picks a free one, undefined leaves it to the start (port + 1000 where free). */
  metricsPort: number | undefined;
  /** Where traces are sent; undefined for none. */
  tracesUrl: string | undefined;
  /** A bucket for the files of exports; undefined keeps them beside the data. */
  storage: StorageLocation | undefined;
  sandboxPort: number | undefined;
  sandboxUrl: string | undefined;
  autopilot: boolean;
  poolSize: number;
  drainSeconds: number;
  web: boolean;
  worker: boolean;
  /** Holds the embedded database and the sandbox bank; others join them. */
  keepsPlace: boolean;
}

/** A setting that can't be: the start ends with this sentence. */
export class ConfigError extends Error {}

/** Reads and checks the environment; an empty variable counts as absent. Throws {@link ConfigError} naming each fault. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = environment.safeParse(given);
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    throw new ConfigError(`The settings can't be used:\n  ${faults.join('\n  ')}`);
  }
  const value = parsed.data;
  const demo = value.DEMO ?? value.DATABASE_URL === undefined;
  const dataDir = resolve(value.DATA_DIR);
  return {
    port: value.PORT,
    host: value.HOST,
    dataDir,
    databaseUrl: value.DATABASE_URL,
    pooler: value.POOLER_URL ? { url: value.POOLER_URL, prepares: value.POOLER_PREPARES } : undefined,
    replicaUrl: value.REPLICA_URL,
    appKey: value.APP_KEY ?? keyOfDemo(demo, dataDir),
    previousKey: value.APP_KEY_PREVIOUS,
    title: value.APP_TITLE,
    appUrl: value.APP_URL?.replace(/\/+$/, ''),
    demo,
    trustedProxies: value.TRUST_PROXY,
    // Who looks at the demo reads what it prints for people; who runs it for real wants every request.
    logLevel: value.LOG_LEVEL ?? (demo ? 'warn' : 'info'),
    metricsPort: value.METRICS_PORT,
    tracesUrl: value.OTEL_EXPORTER_OTLP_ENDPOINT,
    storage: value.STORAGE_URL,
    sandboxPort: value.SANDBOX_PORT,
    sandboxUrl: value.SANDBOX_URL,
    autopilot: demo && value.DEMO_AUTOPILOT,
    poolSize: value.POOL_SIZE,
    drainSeconds: value.DRAIN_SECONDS,
    web: value.PROCESS !== 'worker',
    worker: value.PROCESS !== 'web',
    keepsPlace: value.PROCESS === 'all',
  };
}

/** How many processes the product is to be. */
export interface ProcessCounts {
  web: number;
  workers: number;
}

const mostProcesses = 64;
const processCounts = z.object({
  web: z.coerce.number().int().min(1).max(mostProcesses).default(1),
  workers: z.coerce.number().int().min(0).max(mostProcesses).default(1),
});

/**
 * Reads `--web 2 --workers 2`, one of which may be missing; undefined where both are: one process does everything.
 * Throws {@link ConfigError}.
 */
export function readProcessCounts(args: string[]): ProcessCounts | undefined {
  try {
    const { values } = parseArgs({ args, options: { web: { type: 'string' }, workers: { type: 'string' } } });
    if (values.web === undefined && values.workers === undefined) return undefined;
    return processCounts.parse(values);
  } catch {
    throw new ConfigError(
      `The command takes --web and --workers, each a number of processes up to ${mostProcesses}; at least one is a web process.`,
    );
  }
}

/** In demo mode a key is made once and kept beside the data; in production it must be given. */
function keyOfDemo(demo: boolean, dataDir: string): Buffer {
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
