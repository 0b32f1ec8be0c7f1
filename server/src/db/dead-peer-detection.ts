import type { Socket } from 'node:net';
import pg from 'pg';

const lookEveryMs = 1000;
/** Who waits for so long without a byte asks whether anything is done for it. */
const silentMs = 5000;
/** An answer may come in the moment in which it is asked for: one look is not enough. */
const looks = 2;
const askTimeoutMs = 3000;

/** What of a connection its type does not show. */
interface Inside {
  processID: number | null;
  connection: { stream: Socket };
}

/** A connection that is watched. */
interface Line {
  socket: Socket;
  processId: number | null;
  /** Bytes that were sent when the last answer was there: while there are more, something is waited for. */
  sentAtRest: number;
  received: number;
  heardAt: number;
  failedLooks: number;
}

/** What the watch needs to ask. */
export interface DeadPeerOptions {
  url: string;
  /** Behind a pooler nobody knows who works for whom: it is enough there that somebody answers. */
  isPooled: boolean;
}

/**
 * Ends the connections of a pool whose other side is gone without a word: a network that swallows what is sent leaves
 * them open for a quarter of an hour, and with them the calls that wait. A long statement is not ended: the database
 * itself is asked, over a connection of its own, whether it is at work for the one that waits.
 */
export function endDeadConnections(pool: pg.Pool, options: DeadPeerOptions): void {
  const lines = new Map<pg.PoolClient, Line>();
  let timer: NodeJS.Timeout | undefined;
  let isAsking = false;
  const look = async () => {
    const silent = [...lines.values()].filter(isSilent);
    if (silent.length === 0 || isAsking) return;
    isAsking = true;
    const working = await whoWorks(options, silent).finally(() => {
      isAsking = false;
    });
    for (const line of silent) {
      if (!isSilent(line)) continue;
      line.failedLooks = working(line) ? 0 : line.failedLooks + 1;
      if (line.failedLooks < looks) continue;
      line.socket.destroy(silence());
      // What swallowed one has swallowed those, too, that nobody waits for: the next who took one would wait as long.
      for (const other of lines.values()) if (isAtRest(other)) other.socket.destroy(silence());
    }
  };
  pool.on('connect', (client) => {
    const { connection, processID } = client as unknown as Inside;
    const socket = connection.stream;
    const line = { socket, processId: processID, sentAtRest: 0, received: 0, heardAt: 0, failedLooks: 0 };
    const rest = () => {
      line.sentAtRest = socket.bytesWritten;
    };
    rest();
    client.on('drain', rest);
    lines.set(client, line);
    timer ??= setInterval(() => void look(), lookEveryMs).unref();
  });
  pool.on('remove', (client) => {
    lines.delete(client);
    if (lines.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  });
}

/** Whether nothing is waited for. */
function isAtRest({ socket, sentAtRest }: Line): boolean {
  return socket.bytesWritten === sentAtRest;
}

/** Whether an answer has been waited for, and nothing has come, for too long. */
function isSilent(line: Line): boolean {
  const { bytesRead, bytesWritten } = line.socket;
  if (bytesRead !== line.received || bytesWritten === line.sentAtRest || line.heardAt === 0) {
    line.received = bytesRead;
    line.heardAt = performance.now();
    line.failedLooks = 0;
    return false;
  }
  return performance.now() - line.heardAt >= silentMs;
}

/** Tells for whom of the waiting ones the database is at work. */
async function whoWorks(
  { url, isPooled }: DeadPeerOptions,
  waiting: readonly Line[],
): Promise<(line: Line) => boolean> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: askTimeoutMs,
    query_timeout: askTimeoutMs,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ pid: number }>(
      `select pid from pg_stat_activity where pid = any($1) and state = 'active'`,
      [waiting.map(({ processId }) => processId)],
    );
    const active = new Set(rows.map(({ pid }) => pid));
    return ({ processId }) => isPooled || (processId !== null && active.has(processId));
  } catch (error) {
    // One that refuses is there: it may be at work for those who came before.
    return () => error instanceof pg.DatabaseError;
  } finally {
    void client.end().catch(() => {});
  }
}

function silence(): Error {
  return Object.assign(new Error('the database has gone silent'), { code: 'ETIMEDOUT' });
}
