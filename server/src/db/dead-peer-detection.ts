import type { Socket } from 'node:net';
import pg from 'pg';
import { HostClient } from './hosts/host-client.ts';

const checkEveryMs = 1000;
/** A connection that has waited this long without receiving a byte is checked. */
const silenceLimitMs = 5000;
/** A reply may arrive during a check, so one failed check is not enough. */
const maxFailedChecks = 2;
const checkTimeoutMs = 3000;

/** Parts of a client that its type does not show. */
interface Inside {
  processID: number | null;
  host: string;
  port: number;
  connection: { stream: Socket };
  /** The statement that is being replied to, and those sent after it. */
  _activeQuery: object | null;
  _sentQueryQueue: readonly object[];
}

/** A watched connection. */
interface Watched {
  client: pg.PoolClient;
  socket: Socket;
  /** The statement whose reply is outstanding, and since when. */
  pending: object | undefined;
  pendingSince: number;
  /** Host and port of the server. */
  address: string;
  processId: number | null;
  /** Bytes sent when the last reply was complete. Once more have been sent, a reply is outstanding. */
  sentWhenIdle: number;
  received: number;
  heardAt: number;
  failedChecks: number;
}

/** Options of {@link endDeadConnections}. */
export interface DeadPeerOptions {
  url: string;
  /** Behind a pooler, the backend of a connection is unknown: any reply to the check counts. */
  isPooled: boolean;
  /** A connection whose reply to a statement takes longer is closed, even if the database is working for it. Never if absent. */
  answerTimeoutMs?: number | undefined;
}

/**
 * Closes connections of a pool whose peer has gone without closing them. If a network dropped all packets,
 * they would stay open for a quarter of an hour, and the calls on them would hang. A long statement is left
 * alone: a separate connection asks the database whether it is working for the connection that waits. Of several hosts it asks
 * the one that accepts writes, because a connection to any other has been left behind by a failover. No statement is left alone
 * beyond the timeout of replies, unless its transaction has lifted that.
 */
export function endDeadConnections(pool: pg.Pool, options: DeadPeerOptions): void {
  const watched = new Map<pg.PoolClient, Watched>();
  let timer: NodeJS.Timeout | undefined;
  let isChecking = false;
  const { answerTimeoutMs = Number.POSITIVE_INFINITY } = options;
  const check = async () => {
    for (const connection of watched.values())
      if (waitedMs(connection) >= answerTimeoutMs)
        connection.socket.destroy(timeoutError('the database has not replied in time'));
    const silent = [...watched.values()].filter(isSilent);
    if (silent.length === 0 || isChecking) return;
    isChecking = true;
    const isActive = await findActive(options, silent).finally(() => {
      isChecking = false;
    });
    for (const connection of silent) {
      if (!isSilent(connection)) continue;
      connection.failedChecks = isActive(connection) ? 0 : connection.failedChecks + 1;
      if (connection.failedChecks < maxFailedChecks) continue;
      connection.socket.destroy(timeoutError('the database has gone silent'));
      // Idle connections to the same peer are dead, too: the next caller to use one would wait as long.
      for (const other of watched.values())
        if (isIdle(other)) other.socket.destroy(timeoutError('the database has gone silent'));
    }
  };
  pool.on('connect', (client) => {
    const { connection, processID, host, port } = client as unknown as Inside;
    const socket = connection.stream;
    const entry: Watched = {
      client,
      socket,
      pending: undefined,
      pendingSince: 0,
      address: `${host}:${port}`,
      processId: processID,
      sentWhenIdle: 0,
      received: 0,
      heardAt: 0,
      failedChecks: 0,
    };
    const markIdle = () => {
      entry.sentWhenIdle = socket.bytesWritten;
    };
    markIdle();
    client.on('drain', markIdle);
    watched.set(client, entry);
    timer ??= setInterval(() => void check(), checkEveryMs).unref();
  });
  pool.on('remove', (client) => {
    watched.delete(client);
    if (watched.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  });
}

/** Whether no reply is outstanding. */
function isIdle({ socket, sentWhenIdle }: Watched): boolean {
  return socket.bytesWritten === sentWhenIdle;
}

/**
 * Returns how long a connection has waited for its current reply, in milliseconds; 0 if none is outstanding, or it may take as long as it
 * likes.
 */
function waitedMs(connection: Watched): number {
  const { client } = connection;
  const { _activeQuery, _sentQueryQueue } = client as unknown as Inside;
  const pending = _activeQuery ?? _sentQueryQueue[0];
  if (pending !== connection.pending) {
    connection.pending = pending;
    connection.pendingSince = performance.now();
  }
  const isPatient = client instanceof HostClient && client.isPatient;
  return pending === undefined || isPatient ? 0 : performance.now() - connection.pendingSince;
}

/** Whether a reply has been outstanding for too long, with no byte received. */
function isSilent(connection: Watched): boolean {
  const { bytesRead, bytesWritten } = connection.socket;
  if (
    bytesRead !== connection.received ||
    bytesWritten === connection.sentWhenIdle ||
    connection.heardAt === 0
  ) {
    connection.received = bytesRead;
    connection.heardAt = performance.now();
    connection.failedChecks = 0;
    return false;
  }
  return performance.now() - connection.heardAt >= silenceLimitMs;
}

/** Asks the database which of the waiting connections it is working for. */
async function findActive(
  { url, isPooled }: DeadPeerOptions,
  waiting: readonly Watched[],
): Promise<(connection: Watched) => boolean> {
  const client = new HostClient({
    connectionString: url,
    connectionTimeoutMillis: checkTimeoutMs,
    query_timeout: checkTimeoutMs,
    isPooled,
  });
  try {
    await client.connect();
    const { rows } = await client.query<{ pid: number }>(
      `select pid from pg_stat_activity where pid = any($1) and state = 'active'`,
      [waiting.map(({ processId }) => processId)],
    );
    const active = new Set(rows.map(({ pid }) => pid));
    const asked = `${client.host}:${client.port}`;
    return ({ address, processId }) =>
      address === asked && (isPooled || (processId !== null && active.has(processId)));
  } catch (error) {
    // A database that refuses the connection is alive, and may be working for the existing ones.
    return () => error instanceof pg.DatabaseError;
  } finally {
    void client.end().catch(() => {});
  }
}

function timeoutError(message: string): Error {
  return Object.assign(new Error(message), { code: 'ETIMEDOUT' });
}
