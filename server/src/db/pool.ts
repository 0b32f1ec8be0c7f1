import pg from 'pg';
import { endDeadConnections } from './dead-peer-detection.ts';
import { HostClient } from './hosts/host-client.ts';

const { builtins } = pg.types;

/** 64-bit integers arrive as bigint: money never passes through a float. */
const typeParsers = new Map<number, (text: string) => unknown>([[builtins.INT8, BigInt]]);

const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    (format === 'binary' ? undefined : typeParsers.get(oid)) ?? pg.types.getTypeParser(oid, format),
};

/** The database cancels a statement of the running server that takes longer. */
export const statementTimeoutMs = 30_000;
/** The client stops waiting after this: the database must have canceled the statement by then. */
const defaultAnswerTimeoutMs = statementTimeoutMs + 5000;

/** Behind a call waits a person or a program, so its work hears soon that it cannot have a connection. */
const callersPatienceMs = 3000;

/** Settings of one connection pool. */
export interface PoolOptions {
  max: number;
  applicationName: string;
  /** Whether the address is that of a pooler. */
  isPooled?: boolean;
  /** How long work waits for a connection, a pooled or a new one; three seconds unless given. */
  connectTimeoutMs?: number;
  /** How long the reply to a statement may take; five seconds longer than the database lets it run unless given. */
  answerTimeoutMs?: number;
  onError: (error: Error) => void;
}

/** Opens a pool of pipelined connections for the running server. */
export function openPool(url: string, options: PoolOptions): pg.Pool {
  // Not the client's own `query_timeout`, whose timer keeps all that its statement references in memory until the next full collection.
  const { answerTimeoutMs = defaultAnswerTimeoutMs } = options;
  return open(url, { ...options, answerTimeoutMs }, { pipeline: true, types });
}

/** Opens a pool for a library that parses PostgreSQL's types itself and needs no timeouts. */
export function openPlainPool(url: string, options: PoolOptions): pg.Pool {
  return open(url, options);
}

/**
 * Opens a pool that reports and drops broken idle connections, and closes dead ones. Waiting for a
 * connection fails after the given time.
 */
function open(url: string, options: PoolOptions, more: pg.PoolConfig = {}): pg.Pool {
  const isPooled = options.isPooled ?? false;
  const settings = {
    Client: HostClient,
    connectionString: url,
    isPooled,
    max: options.max,
    application_name: options.applicationName,
    connectionTimeoutMillis: options.connectTimeoutMs ?? callersPatienceMs,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    ...more,
  };
  const pool = new pg.Pool(settings);
  pool.on('error', options.onError);
  endDeadConnections(pool, { url, isPooled, answerTimeoutMs: options.answerTimeoutMs });
  return pool;
}

/** Connections of a pool that are in use and idle, and transactions that wait for one. */
export interface PoolCounts {
  busy: number;
  idle: number;
  waiting: number;
}

/** Counts the connections of a pool. */
export function countsOf({ totalCount, idleCount, waitingCount }: pg.Pool): PoolCounts {
  return { busy: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
}

const connectionFaults = new Set([
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'EPROTO',
  'ETIMEDOUT',
]);
/**
 * A shutdown, a standby, a transaction that was ended because it was idle, and a statement that waited for its whole timeout:
 * behind locks of commits that no standby confirms, say.
 */
const shutdownStates = new Set(['57P01', '57P02', '57P03', '57014', '25006', '25P03']);
/** SQLSTATE classes: connection exceptions, and insufficient disk, memory or connections. */
const unableClass = /^(08|53)/;

/** Whether an error means that the database is away or at its limits, not that a statement was wrong. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (connectionFaults.has(code) || shutdownStates.has(code) || unableClass.test(code)) return true;
  // PostgreSQL ends the connection with such an error, in the middle of a commit perhaps.
  if (error instanceof pg.DatabaseError && /^(FATAL|PANIC)$/.test(error.severity ?? '')) return true;
  return /Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error/.test(
    error.message,
  );
}

/** Returns the SQLSTATE and constraint of a database error; undefined for any other error. */
export function databaseFault(error: unknown): { state: string; constraint: string } | undefined {
  if (!(error instanceof pg.DatabaseError)) return undefined;
  return { state: error.code ?? '', constraint: error.constraint ?? '' };
}
