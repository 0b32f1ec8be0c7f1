import pg from 'pg';

const { builtins } = pg.types;

/** Whole numbers of 64 bits arrive as bigint: money never passes through a float. */
const typeParsers = new Map<number, (text: string) => unknown>([[builtins.INT8, BigInt]]);

const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    (format === 'binary' ? undefined : typeParsers.get(oid)) ?? pg.types.getTypeParser(oid, format),
};

/** Settings of one connection pool; times in milliseconds. */
export interface PoolOptions {
  max: number;
  applicationName: string;
  /** A statement that runs longer is ended by the server. */
  statementTimeoutMs?: number;
  onError: (error: Error) => void;
}

/** Opens a pool. Broken idle connections are reported and dropped; the pool itself goes on. */
export function openPool(url: string, options: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.max,
    application_name: options.applicationName,
    connectionTimeoutMillis: 3000,
    idleTimeoutMillis: 30_000,
    statement_timeout: options.statementTimeoutMs ?? 30_000,
    keepAlive: true,
    pipeline: true,
    types,
  });
  pool.on('error', options.onError);
  // A connection that breaks in use fails its statement; the event says the same again and would end the process.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

const connectionFaults = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND']);
const shutdownStates = new Set(['57P01', '57P02', '57P03', '25006']);
/** Classes of SQLSTATE: connection exceptions; no disk, memory or connections left. */
const unableClass = /^(08|53)/;

/** Whether an error means that the database is away or at its limits (and not that a statement was wrong). */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (connectionFaults.has(code) || shutdownStates.has(code) || unableClass.test(code)) return true;
  return /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/.test(
    error.message,
  );
}

/** The SQLSTATE and constraint of a database error, where it is one. */
export function databaseFault(error: unknown): { state: string; constraint: string } | undefined {
  if (!(error instanceof pg.DatabaseError)) return undefined;
  return { state: error.code ?? '', constraint: error.constraint ?? '' };
}
