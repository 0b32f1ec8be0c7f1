import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { addressOf } from '#security/database-url.ts';

/** A healthy host answers in milliseconds; a stopped one accepts the connection and never answers. */
const answerTimeoutMs = 1500;
/** How long the others may take after the first host that accepts writes: one of them may have replaced it. */
const othersMs = 100;
/** SQLSTATE classes of a login or a database that is wrong on every host. */
const misconfigured = /^(28|3D)/;

/**
 * Asks one server what it is. A standby cannot tell the timeline that it would write. The timeline grows with each promotion,
 * so a leader of an older one has been replaced.
 */
const question = `
  select current_setting('transaction_read_only')::boolean as is_read_only,
    (select system_identifier::text from pg_control_system()) as cluster,
    case when not pg_is_in_recovery() then ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer end as timeline`;

interface Answer {
  is_read_only: boolean;
  cluster: string;
  timeline: number | null;
}

/** No host accepts writes. Its code is that of a connection that could not be established. */
export class NoWritableHostError extends Error {
  readonly code = '08001';
}

/** The newest timeline that this process has seen of each cluster. */
const newestTimelines = new Map<string, number>();
/** Searches in progress: connections that open at the same time share one. */
const searches = new Map<string, Promise<string>>();

/** A host that accepts writes, and the timeline that it writes. */
interface Leader {
  host: string;
  timeline: number;
}

/**
 * Returns the URL of the host that accepts writes. Asks all of them at once, so that one that is down or a standby costs no time,
 * and one that hangs a tenth of a second. Two may accept writes, if nobody has stopped an old leader: the one of the newest
 * timeline is taken. Throws {@link NoWritableHostError}.
 */
export function findWritable(hosts: readonly string[]): Promise<string> {
  const key = hosts.join(' ');
  const search = searches.get(key) ?? findNewest(hosts).finally(() => searches.delete(key));
  searches.set(key, search);
  return search;
}

async function findNewest(hosts: readonly string[]): Promise<string> {
  const leaders: Leader[] = [];
  const answers = hosts.map(async (host) => {
    const leader = await askForWrites(host);
    leaders.push(leader);
    return leader;
  });
  const first = await Promise.any(answers).catch(refuse);
  await Promise.race([Promise.allSettled(answers), pause(othersMs)]);
  return leaders.reduce((newest, leader) => (leader.timeline > newest.timeline ? leader : newest), first)
    .host;
}

/** Returns what each host says, for people: that it accepts writes, or why not. */
export async function describeHosts(hosts: readonly string[]): Promise<string[]> {
  return Promise.all(
    hosts.map((host) =>
      askForWrites(host).then(
        () => `${addressName(host)}: it accepts writes`,
        (error: HostError) => error.message,
      ),
    ),
  );
}

function addressName(url: string): string {
  const { host, port } = addressOf(url);
  return `${host}:${port}`;
}

async function askForWrites(host: string): Promise<Leader> {
  const client = new pg.Client({
    connectionString: host,
    connectionTimeoutMillis: answerTimeoutMs,
    query_timeout: answerTimeoutMs,
    application_name: 'hengfu host check',
  });
  // A broken connection already rejects the statement. Unhandled, the event would end the process.
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<Answer>(question);
    return { host, timeline: timelineOf(rows[0]) };
  } catch (error) {
    throw new HostError(host, error);
  } finally {
    void client.end().catch(() => {});
  }
}

/** Returns the timeline of a leader. Throws if the server does not accept writes, or if another has been promoted in its place. */
function timelineOf(answer: Answer | undefined): number {
  if (answer?.timeline == null) throw new Error('it is a standby');
  if (answer.is_read_only) throw new Error('it is read-only');
  const newest = newestTimelines.get(answer.cluster) ?? 0;
  if (answer.timeline < newest)
    throw new Error(
      `it was replaced: its timeline is ${answer.timeline}, and another host has reached ${newest}`,
    );
  newestTimelines.set(answer.cluster, answer.timeline);
  return answer.timeline;
}

/** The reason why one host was not taken. */
class HostError extends Error {
  constructor(url: string, cause: unknown) {
    super(`${addressName(url)}: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}

function refuse(error: unknown): never {
  const faults = error instanceof AggregateError ? (error.errors as HostError[]) : [];
  const [wrong] = faults.flatMap(({ cause }) =>
    cause instanceof pg.DatabaseError && misconfigured.test(cause.code ?? '') ? [cause] : [],
  );
  throw (
    wrong ??
    new NoWritableHostError(`no host accepts writes (${faults.map(({ message }) => message).join('; ')})`)
  );
}
