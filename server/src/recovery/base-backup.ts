import { randomBytes } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { asOwner } from '#db/owner.ts';
import type { BaseManifest, RecoveryArchive } from './recovery-archive.ts';
import { type TarEntry, tarOf } from './tar.ts';
import { segmentsBetween } from './wal.rules.ts';

/** Parameters of {@link makeBase}. */
export interface BaseOptions {
  archive: RecoveryArchive;
  superuserUrl: string;
  /** PGDATA of the running cluster. */
  cluster: string;
  appKeyMark: string;
  /** Whether PostgreSQL writes its checkpoint at once, instead of over some minutes. */
  isUrgent: boolean;
  /** Ends the copy, which then fails. */
  signal?: AbortSignal;
}

/** Folders whose content a restored cluster creates itself; from the documentation of base backups. */
const emptied = new Set([
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
]);
const excluded =
  /^(postmaster\.(pid|opts)|backup_(label|manifest)(\.old)?|tablespace_map(\.old)?|(recovery|standby)\.signal)$|(^|\/)(pgsql_tmp|pg_internal\.init)/;
/** PostgreSQL's own tools copy it last. */
const controlFile = 'global/pg_control';

/**
 * Copies a running cluster into the archive, between pg_backup_start and pg_backup_stop, which blocks nobody. Waits until the WAL
 * that it needs is archived. Throws if the cluster has tablespaces.
 */
export async function makeBase(options: BaseOptions): Promise<BaseManifest> {
  const { archive, superuserUrl, cluster, appKeyMark, isUrgent, signal } = options;
  return asOwner(superuserUrl, async (client) => {
    const ask = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row> => {
      const { rows } = await client.query<Row>(text, values);
      if (!rows[0]) throw new Error(`no answer to ${text}`);
      return rows[0];
    };
    await client.query('set statement_timeout = 0');
    const { now: startedAt } = await ask<{ now: Date }>('select clock_timestamp() as now');
    const label = `${baseLabel(startedAt)}-${randomBytes(4).toString('hex')}`;
    const start = await ask<{ segment: string }>(
      'select pg_walfile_name(pg_backup_start($1, fast => $2)) as segment',
      [label, isUrgent],
    );
    const counted = { files: 0 };
    const content = await archive.putBase(label, tarOf(cluster, listCluster(cluster, counted, signal)));
    const stop = await ask<{ segment: string; label: string; spaces: string; now: Date }>(
      `select pg_walfile_name(lsn) as segment, labelfile as label, spcmapfile as spaces, clock_timestamp() as now
      from pg_backup_stop(wait_for_archive => true)`,
    );
    if (stop.spaces.trim() !== '') throw new Error('a cluster with tablespaces cannot be backed up');
    await requireWal(archive, start.segment, stop.segment);
    const { version } = await ask<{ version: string }>(
      `select current_setting('server_version_num') as version`,
    );
    const manifest = {
      format: 1 as const,
      label,
      startedAt: startedAt.toISOString(),
      stoppedAt: stop.now.toISOString(),
      timeline: Number.parseInt(start.segment.slice(0, 8), 16),
      firstSegment: start.segment,
      lastSegment: stop.segment,
      postgres: Math.floor(Number(version) / 10_000),
      appKeyMark,
      backupLabel: stop.label,
      files: counted.files,
      ...content,
    };
    await archive.putManifest(manifest);
    return { ...manifest, startedAt, stoppedAt: stop.now };
  });
}

/** Throws if a segment is not stored. PostgreSQL waits for none of them if it runs without archiving. */
async function requireWal(archive: RecoveryArchive, first: string, last: string): Promise<void> {
  const stored = new Set((await archive.list()).wal);
  const missing = segmentsBetween(first, last).find((name) => !stored.has(name));
  if (missing)
    throw new Error(`the base backup is not complete: the segment ${missing} that it needs is not archived`);
}

/** Returns the beginning of the label of a base backup that starts at a moment: labels sort by time. */
export function baseLabel(startedAt: Date): string {
  return `${startedAt.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
}

/** Lists the folders and files of a cluster that a base backup contains, its control file last. */
async function* listCluster(
  cluster: string,
  counted: { files: number },
  signal: AbortSignal | undefined,
): AsyncGenerator<TarEntry> {
  const pending = [''];
  for (let folder = pending.shift(); folder !== undefined; folder = pending.shift())
    for (const entry of await readdir(join(cluster, folder), { withFileTypes: true }).catch(ifGone)) {
      signal?.throwIfAborted();
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (excluded.test(path) || path === controlFile) continue;
      if (entry.isDirectory()) {
        yield { path, bytes: undefined };
        if (!emptied.has(path)) pending.push(path);
      } else if (entry.isFile()) {
        const found = await stat(join(cluster, path)).catch(ifGone);
        if (!('size' in found)) continue;
        counted.files++;
        yield { path, bytes: found.size };
      }
    }
  for (const path of ['pg_wal/archive_status', 'pg_wal/summaries']) yield { path, bytes: undefined };
  counted.files++;
  yield { path: controlFile, bytes: (await stat(join(cluster, controlFile))).size };
}

/** Files of dropped tables disappear at any time. */
function ifGone(error: NodeJS.ErrnoException): never[] {
  if (error.code === 'ENOENT') return [];
  throw error;
}
