import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { giveTo } from '#db/embedded/account.ts';
import { packagedFolder, usableBinaries } from '#db/embedded/binaries.ts';
import { makeUnfinished } from '#db/embedded/cluster.ts';
import { type ClusterLocation, findCluster } from '#db/embedded/cluster-location.ts';
import { lockDirectory } from '#db/embedded/lock.ts';
import { flushDirectory } from '#db/flush-directory.ts';
import { type Recovered, recover } from './cluster-recovery.ts';
import { readLineage } from './lineage.ts';
import {
  type BaseManifest,
  listSystems,
  RecoveryArchive,
  type RecoveryArchiveOptions,
} from './recovery-archive.ts';
import { writeHold } from './recovery-hold.ts';
import { extractTar } from './tar.ts';
import { baseFor, isSegment, type LineageStep, leftOut, timelineOf } from './wal.rules.ts';
import { WalProvider } from './wal-provider.ts';

/** Parameters of {@link restoreCluster}. */
export interface RestoreOptions extends RecoveryArchiveOptions {
  /** Directory of the embedded database; must not have a cluster yet. */
  dataDir: string;
  /** The moment to restore; undefined for the last one in the archive. */
  target: Date | undefined;
  /** The timeline to follow; undefined for the newest, if it contains the newest data for certain. */
  timeline: number | undefined;
  /** The database system, if the archive has files of several. */
  system: string | undefined;
  /** Identify the APP_KEYs that can decrypt the secrets in the database. */
  appKeyMarks: readonly string[];
  log: (line: string) => void;
}

/** A restored cluster. */
export interface RestoredCluster extends Recovered {
  base: BaseManifest;
  /** The timeline that was followed. */
  timeline: number;
}

/**
 * Restores the embedded database to a moment: unpacks the newest base backup before it, and lets PostgreSQL replay the WAL. Holds
 * payouts until they were compared. Throws, and leaves no cluster, if the archive does not reach the moment, if a file is missing
 * or damaged, or if a key is wrong.
 */
export async function restoreCluster(options: RestoreOptions): Promise<RestoredCluster> {
  const { dataDir, log } = options;
  mkdirSync(dataDir, { recursive: true });
  const unlock = lockDirectory(dataDir);
  try {
    const location = findCluster(dataDir, log);
    if (existsSync(location.cluster))
      throw new Error(
        `There is a database in ${dataDir} already: restore into a new DATA_DIR, and keep the old one until you have compared.`,
      );
    return await restoreInto(location, options);
  } finally {
    unlock();
  }
}

async function restoreInto(location: ClusterLocation, options: RestoreOptions): Promise<RestoredCluster> {
  const { target, dataDir, log } = options;
  const archive = await openArchive(options);
  const names = new Set((await archive.list()).wal);
  const timeline = options.timeline ?? (await newestTimeline(archive, names));
  const lineage = await readLineage(archive, names, timeline);
  if (options.timeline === undefined) await refuseAmbiguous(archive, names, lineage);
  const base = await chooseBase(archive, lineage, options);
  const unfinished = makeUnfinished(location);
  const folder = `${unfinished}-wal`;
  const provider = new WalProvider({ archive, names, lineage, folder, account: location.account });
  try {
    log(`unpacking the base backup ${base.label}`);
    await unpack(archive, base, unfinished);
    giveTo(location.account, unfinished);
    const bin = usableBinaries(packagedFolder(), location.home, location.account);
    provider.start();
    const recovered = await recover({
      location: { ...location, cluster: unfinished },
      bin,
      provider,
      base,
      target,
      timeline,
      log,
    });
    // Written first: from the moment that there is a cluster, its payouts are held.
    writeHold(dataDir, { recoveredTo: recovered.recoveredTo, restoredAt: new Date(), base: base.label });
    await flushDirectory(dataDir);
    renameSync(unfinished, location.cluster);
    await flushDirectory(location.home);
    return { ...recovered, base, timeline };
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true, maxRetries: 5 });
    throw error;
  } finally {
    await provider.stop();
  }
}

async function openArchive(options: RestoreOptions): Promise<RecoveryArchive> {
  const systems = await listSystems(options.store);
  const { system = systems[0] } = options;
  if (system === undefined || !systems.includes(system))
    throw new Error(`The archive has no files${options.system ? ` of the database ${system}` : ''}.`);
  if (systems.length > 1 && options.system === undefined)
    throw new Error(
      `The archive has files of several databases: choose one with --database: ${systems.join(', ')}.`,
    );
  return new RecoveryArchive(system, options);
}

async function newestTimeline(archive: RecoveryArchive, names: ReadonlySet<string>): Promise<number> {
  const timelines = [
    ...(await archive.readBases()).map(({ timeline }) => timeline),
    ...[...names].map(timelineOf),
  ];
  return timelines.reduce((newest, timeline) => Math.max(newest, timeline), 0);
}

/** Throws if the newest timeline is not certainly the one that holds the newest data. */
async function refuseAmbiguous(
  archive: RecoveryArchive,
  names: ReadonlySet<string>,
  lineage: readonly LineageStep[],
): Promise<void> {
  const missed = leftOut(await archive.readBases(), [...names].filter(isSegment), lineage);
  if (missed)
    throw new Error(
      `The newest timeline, ${lineage.at(-1)?.timeline}, does not contain ${missed}, which may be newer: choose with --timeline.`,
    );
}

async function chooseBase(
  archive: RecoveryArchive,
  lineage: readonly LineageStep[],
  { target, appKeyMarks, log }: RestoreOptions,
): Promise<BaseManifest> {
  const bases = await archive.readBases(({ message }) => log(`left out: ${message}`));
  const base = baseFor(bases, lineage, target);
  if (!base) {
    const oldest = baseFor([...bases].reverse().slice(-1), lineage, undefined) ?? bases[0];
    throw new Error(
      oldest
        ? `The archive cannot reach ${target?.toISOString()}: its oldest base backup is complete as of ${oldest.stoppedAt.toISOString()}.`
        : 'The archive has no complete base backup.',
    );
  }
  if (!appKeyMarks.includes(base.appKeyMark))
    throw new Error(
      'The base backup was made under a different APP_KEY: its secrets could not be decrypted. Set that key.',
    );
  return base;
}

async function unpack(archive: RecoveryArchive, base: BaseManifest, folder: string): Promise<void> {
  await extractTar(await archive.readBase(base.label), folder);
  writeFileSync(join(folder, 'backup_label'), base.backupLabel, { mode: 0o600 });
  writeFileSync(join(folder, 'recovery.signal'), '', { mode: 0o600 });
}
