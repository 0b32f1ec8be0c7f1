import { HostClient } from './hosts/host-client.ts';

/** Health checks read the metrics, and wait three seconds. */
const answerTimeoutMs = 2000;

/** A standby that streams from the leader. */
export interface StandbyState {
  /** Its `application_name`. */
  name: string;
  /** Null if the owner may not see it, like everything else. */
  address: string | null;
  isStreaming: boolean | null;
  isSynchronous: boolean | null;
  /** How much of the leader's WAL it has not replayed yet. */
  lagBytes: number | null;
}

/** The server that accepts writes, and its standbys. */
export interface DatabaseState {
  /** Host and port as the product connects to them. */
  host: string;
  version: string;
  /** Grows by one with each failover. */
  timeline: number;
  synchronousCommit: string;
  /** Whether commits wait for standbys (`synchronous_standby_names`). */
  needsStandby: boolean;
  standbys: StandbyState[];
}

const leaderQuery = `
  select current_setting('server_version') as version,
    ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer as timeline,
    current_setting('synchronous_commit') as "synchronousCommit",
    current_setting('synchronous_standby_names') <> '' as "needsStandby"`;
/** A base backup in progress is listed like a standby. */
const standbyQuery = `
  select application_name as name, host(client_addr) as address, state = 'streaming' as "isStreaming",
    sync_state in ('sync', 'quorum') as "isSynchronous",
    case when replay_lsn is not null
      then greatest(pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn), 0)::double precision end as "lagBytes"
  from pg_stat_replication where state is distinct from 'backup' order by application_name, pid`;

/** Reads the state of the database as its owner, whose privileges (`pg_monitor`) decide what it sees of standbys. */
export async function readDatabaseState(ownerUrl: string): Promise<DatabaseState> {
  const client = new HostClient({
    connectionString: ownerUrl,
    application_name: 'hengfu state',
    connectionTimeoutMillis: answerTimeoutMs,
    query_timeout: answerTimeoutMs,
  });
  try {
    await client.connect();
    const { rows } = await client.query<Omit<DatabaseState, 'host' | 'standbys'>>(leaderQuery);
    const { rows: standbys } = await client.query<StandbyState>(standbyQuery);
    const [leader] = rows;
    if (!leader) throw new Error('the database did not describe itself');
    return { host: `${client.host}:${client.port}`, ...leader, standbys };
  } finally {
    void client.end().catch(() => {});
  }
}

/** Counts the standbys that confirm commits; undefined if the owner may not see them. */
export function countSynchronous({ standbys }: DatabaseState): number | undefined {
  if (standbys.some(({ isSynchronous }) => isSynchronous === null)) return undefined;
  return standbys.filter(({ isStreaming, isSynchronous }) => isStreaming && isSynchronous).length;
}

/** Whether a commit waits for the standbys that the database requires. */
export function confirmsCommits({ synchronousCommit }: DatabaseState): boolean {
  return !['off', 'local'].includes(synchronousCommit);
}

/**
 * Returns what is wrong with the protection of acknowledged orders, in sentences. `severalHosts`: the database is meant to
 * survive the loss of a host.
 */
export function replicationFaults(state: DatabaseState, severalHosts: boolean): string[] {
  const { synchronousCommit, needsStandby } = state;
  const faults: string[] = [];
  if (synchronousCommit === 'off')
    faults.push('synchronous_commit is off: acknowledged orders may be lost in a crash.');
  if (severalHosts && !needsStandby)
    faults.push(
      'The database has several hosts, but synchronous_standby_names is empty: acknowledged orders may be lost in a failover.',
    );
  if (!needsStandby) return faults;
  if (synchronousCommit === 'local')
    faults.push(
      'synchronous_commit is local: commits do not wait for standbys, and acknowledged orders may be lost in a failover.',
    );
  const synchronous = countSynchronous(state);
  if (synchronous === undefined)
    faults.push('The state of the standbys is hidden: grant pg_monitor to the role in DATABASE_URL.');
  if (synchronous === 0) faults.push('No synchronous standby is connected: every commit waits until one is.');
  return faults;
}
