import type { ClusterLocation } from '#db/embedded/cluster-location.ts';
import { freePort, ServerProcess } from '#db/embedded/server-process.ts';
import type { BaseManifest } from './recovery-archive.ts';
import type { WalProvider } from './wal-provider.ts';

/** Parameters of {@link recover}. */
export interface RecoverOptions {
  /** Of the unpacked cluster. */
  location: ClusterLocation;
  bin: string;
  provider: WalProvider;
  base: BaseManifest;
  target: Date | undefined;
  timeline: number;
  log: (line: string) => void;
}

/** The end of a recovery. */
export interface Recovered {
  /** The commit time of the last transaction that was replayed. */
  recoveredTo: Date;
  /** False if the archive ended before the target. */
  isTargetReached: boolean;
  /** The timeline that the cluster writes from now on. */
  newTimeline: number;
  lastSegment: string | undefined;
}

/**
 * Settings under which segments wait to be archived: those of a restored cluster, and the history of its timeline, are archived
 * only once the product is started on it.
 */
export const heldArchive = { archive_mode: 'on', archive_command: '' };

const stopped = /recovery stopping (before|after) /;
const lastCommit =
  /last completed transaction was at log time (\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)\+00/;
const newTimeline = /selected new timeline ID: (\d+)/;
const tooShort = /recovery ended before configured recovery target was reached/;

/**
 * Lets PostgreSQL replay the WAL up to a moment, promotes the cluster to a timeline of its own, and shuts it down. If the WAL ends
 * before the moment, everything in it is replayed. Throws the fault of the provider, or what PostgreSQL said.
 */
export async function recover(options: RecoverOptions): Promise<Recovered> {
  const { base, provider, target } = options;
  const seen = { recoveredTo: base.startedAt, isStopped: false, isTooShort: false, newTimeline: 0 };
  const onLine = (line: string) => {
    const [, day, time] = lastCommit.exec(line) ?? [];
    if (day !== undefined) seen.recoveredTo = new Date(`${day}T${time}Z`);
    seen.isStopped ||= stopped.test(line);
    seen.isTooShort ||= tooShort.test(line);
    seen.newTimeline = Number(newTimeline.exec(line)?.[1] ?? seen.newTimeline);
  };
  try {
    await replay(options, target, onLine).catch((error: unknown) => {
      if (!seen.isTooShort) throw error;
      return replay(options, undefined, onLine);
    });
  } catch (error) {
    throw provider.fault ?? error;
  }
  return {
    recoveredTo: seen.recoveredTo,
    isTargetReached: target === undefined || seen.isStopped,
    newTimeline: seen.newTimeline,
    lastSegment: provider.lastSegment,
  };
}

async function replay(
  { location, bin, provider, timeline, log }: RecoverOptions,
  target: Date | undefined,
  onLine: (line: string) => void,
): Promise<void> {
  const server = new ServerProcess({
    location,
    bin,
    port: await freePort(0),
    durable: true,
    settings: {
      restore_command: provider.command,
      recovery_target_timeline: String(timeline),
      ...(target && {
        recovery_target_time: target.toISOString().replace('T', ' ').replace('Z', '+00'),
        recovery_target_action: 'promote',
      }),
      // Nobody connects before the recovery has ended.
      hot_standby: 'off',
      ...heldArchive,
    },
    log,
    onLine,
  });
  await server.ready;
  await server.shutDown();
}
