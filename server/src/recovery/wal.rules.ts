const segment = /^[0-9A-F]{24}$/;
const history = /^[0-9A-F]{8}\.history$/;
/** A file that PostgreSQL writes when a base backup ends. */
const backupLabel = /^[0-9A-F]{24}\.[0-9A-F]{8}\.backup$/;
/** Segments of 16 MiB, PostgreSQL's default, in 4 GiB of WAL. */
const segmentsPerLog = 256n;
const bytesPerSegment = 16n * 1024n * 1024n;

/** Whether a name is that of a whole WAL segment. */
export const isSegment = (name: string): boolean => segment.test(name);

/** Whether a name is that of a file that PostgreSQL archives. */
export const isArchived = (name: string): boolean =>
  isSegment(name) || history.test(name) || backupLabel.test(name);

/** Returns the timeline in the name of a segment, or of the history of a timeline. */
export function timelineOf(name: string): number {
  return Number.parseInt(name.slice(0, 8), 16);
}

/** Returns the number of a segment, counted from the beginning of the WAL whatever the timeline. */
export function positionOf(name: string): bigint {
  return BigInt(`0x${name.slice(8, 16)}`) * segmentsPerLog + BigInt(`0x${name.slice(16, 24)}`);
}

/** Returns the name of a segment. */
export function segmentName(timeline: number, position: bigint): string {
  return [BigInt(timeline), position / segmentsPerLog, position % segmentsPerLog]
    .map((part) => part.toString(16).toUpperCase().padStart(8, '0'))
    .join('');
}

/** Returns the names of the segments of a timeline from one to another, both included. */
export function segmentsBetween(first: string, last: string): string[] {
  const start = positionOf(first);
  return Array.from({ length: Math.max(0, Number(positionOf(last) - start) + 1) }, (_, index) =>
    segmentName(timelineOf(first), start + BigInt(index)),
  );
}

/** Returns the name of the file that says which timelines a timeline branched off. */
export function historyName(timeline: number): string {
  return `${timeline.toString(16).toUpperCase().padStart(8, '0')}.history`;
}

/** A timeline, and the segment in which the next one branched off; undefined for the last. */
export interface LineageStep {
  timeline: number;
  endsIn: bigint | undefined;
  /** Its first segment that lies wholly after the branch. */
  firstAfter?: bigint;
}

/** Reads the history file of a timeline: its ancestors, oldest first, and itself. The first timeline has no file. */
export function lineageOf(timeline: number, text: string): LineageStep[] {
  const ancestors = text.split('\n').flatMap((line) => {
    const [, id, high, low] = /^(\d+)\s+([0-9A-F]+)\/([0-9A-F]+)/i.exec(line) ?? [];
    if (id === undefined) return [];
    const lsn = BigInt(`0x${high}`) * 0x1_0000_0000n + BigInt(`0x${low}`);
    const firstAfter = (lsn + bytesPerSegment - 1n) / bytesPerSegment;
    return { timeline: Number(id), endsIn: lsn / bytesPerSegment, firstAfter };
  });
  return [...ancestors, { timeline, endsIn: undefined }];
}

/** Whether a segment belongs to a lineage: an ancestor's only before the one in which the next timeline branched off. */
export function isFollowed(lineage: readonly LineageStep[], name: string): boolean {
  const step = lineage.find(({ timeline }) => timeline === timelineOf(name));
  return step !== undefined && (step.endsIn === undefined || positionOf(name) < step.endsIn);
}

/** Facts about a base backup that decide what can be restored from it. */
export interface BaseFacts {
  timeline: number;
  /** The first segment that a restore needs. */
  firstSegment: string;
  /** The segment with which the copied files are consistent. */
  lastSegment: string;
  /** From this moment on a restore can stop at any time. */
  stoppedAt: Date;
}

/** Finds the newest base backup of a lineage from which a moment can be reached. */
export function baseFor<B extends BaseFacts>(
  bases: readonly B[],
  lineage: readonly LineageStep[],
  target: Date | undefined,
): B | undefined {
  return bases
    .filter(({ timeline, lastSegment, stoppedAt }) => {
      const step = lineage.find((each) => each.timeline === timeline);
      if (!step || (target && stoppedAt > target)) return false;
      return step.endsIn === undefined || positionOf(lastSegment) <= step.endsIn;
    })
    .sort((a, b) => b.stoppedAt.getTime() - a.stoppedAt.getTime())[0];
}

/**
 * Finds what a restore along a lineage would leave out although it may be the newest: a newer base backup of another timeline, or
 * a segment of an ancestor that lies wholly after the branch. A copy that was restored for a test leaves both while the original writes on.
 */
export function leftOut<B extends BaseFacts & { label: string }>(
  bases: readonly B[],
  segments: readonly string[],
  lineage: readonly LineageStep[],
): string | undefined {
  const newest = baseFor(bases, lineage, undefined);
  const other = bases.find(
    ({ timeline, stoppedAt }) =>
      !lineage.some((step) => step.timeline === timeline) && !(newest && stoppedAt <= newest.stoppedAt),
  );
  if (other) return `the base backup ${other.label} of timeline ${other.timeline}`;
  const beyond = segments.find((name) =>
    lineage.some(
      ({ timeline, firstAfter }) =>
        timeline === timelineOf(name) && firstAfter !== undefined && positionOf(name) >= firstAfter,
    ),
  );
  return beyond && `the segment ${beyond} of timeline ${timelineOf(beyond)}`;
}

/**
 * Lists what retention removes: base backups older than the newest one that still covers the start of the window, and the
 * segments before the oldest base backup that is kept. Histories of timelines are tiny, and stay.
 */
export function outdated<B extends BaseFacts>(
  bases: readonly B[],
  walNames: readonly string[],
  windowStart: Date,
): { bases: B[]; wal: string[] } {
  const newestFirst = [...bases].sort((a, b) => b.stoppedAt.getTime() - a.stoppedAt.getTime());
  const covering = newestFirst.findIndex(({ stoppedAt }) => stoppedAt <= windowStart);
  if (covering === -1) return { bases: [], wal: [] };
  const kept = newestFirst.slice(0, covering + 1);
  const [oldest = 0n] = kept
    .map(({ firstSegment }) => positionOf(firstSegment))
    .sort((a, b) => (a < b ? -1 : 1));
  return {
    bases: newestFirst.slice(covering + 1),
    wal: walNames.filter((name) => !history.test(name) && positionOf(name) < oldest),
  };
}
