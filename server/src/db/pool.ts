import pg from 'pg';
import { endDeadConnections } from './dead-peer-detection.ts';

const { builtins } = pg.types;

/** Whole numbers of 64 bits arrive as bigint: money never passes through a float. */
const typeParsers = new Map<number, (text: string) => unknown>([[builtins.INT8, BigInt]]);

const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    (format === 'binary' ? undefined : typeParsers.get(oid)) ?? pg.types.getTypeParser(oid, format),
};

/** A statement of the running server that takes longer is ended by the database. */
export const statementTimeoutMs = 30_000;
/** Nobody waits longer for one: the database must have ended it by then. */
const answerTimeoutMs = statementTimeoutMs + 5000;

/** Settings of one connection pool; times in milliseconds. */
export interface PoolOptions {
  max: number;
  applicationName: string;
  /** Whether the address is that of a pooler. */
  isPooled?: boolean;
  onError: (error: Error) => void;
}

/** Opens a pool of the running server's connections, which send without waiting for earlier answers. */
export function openPool(url: string, options: PoolOptions): pg.Pool {
  return open(url, options, { pipeline: true, query_timeout: answerTimeoutMs, types });
}

/** Opens a pool for a library that reads PostgreSQL's types in its own way, and takes its own time. */
export function openPlainPool(url: string, options: PoolOptions): pg.Pool {
  return open(url, options, {});
}

/**
 * Broken idle connections are reported and dropped, silent ones are ended; the pool itself goes on. Who waits for a
 * connection, or for one to be made, is refused after three seconds.
 */
function open(url: string, options: PoolOptions, more: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.max,
    application_name: options.applicationName,
    connectionTimeoutMillis: 3000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    ...more,
  });
  pool.on('error', options.onError);
  // A connection that breaks in use fails its statement; the event says the same again and would end the process.
  pool.on('connect', (client) => client.on('error', () => {}));
  endDeadConnections(pool, { url, isPooled: options.isPooled ?? false });
  return pool;
}

/** What a pool's connections do, and how many transactions wait for one. */
export interface PoolCounts {
  busy: number;
  idle: number;
  waiting: number;
}

/** Counts them now. */
export function countsOf({ totalCount, idleCount, waitingCount }: pg.Pool): PoolCounts {
  return { busy: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
}

const connectionFaults = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND']);
/** A shutdown, a standby, and a transaction that was ended because its owner was not heard of any more. */
const shutdownStates = new Set(['57P01', '57P02', '57P03', '25006', '25P03']);
/** Classes of SQLSTATE: connection exceptions; no disk, memory or connections left. */
const unableClass = /^(08|53)/;

/** Whether an error means that the database is away or at its limits (and not that a statement was wrong). */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (connectionFaults.has(code) || shutdownStates.has(code) || unableClass.test(code)) return true;
  return /Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error/.test(
    error.message,
  );
}

/** The SQLSTATE and constraint of a database error, where it is one. */
export function databaseFault(error: unknown): { state: string; constraint: string } | undefined {
  if (!(error instanceof pg.DatabaseError)) return undefined;
  return { state: error.code ?? '', constraint: error.constraint ?? '' };
}
