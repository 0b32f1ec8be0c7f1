import { readLineage } from './lineage.ts';
import type { BaseManifest, RecoveryArchive } from './recovery-archive.ts';
import {
  type BaseFacts,
  baseFor,
  isSegment,
  type LineageStep,
  positionOf,
  segmentName,
  segmentsBetween,
  timelineOf,
} from './wal.rules.ts';

/** The result of reading an archive completely. */
export interface Verified {
  segments: number;
  bases: number;
  /** One sentence each; empty if everything that a restore may need is there and as it was written. */
  faults: string[];
  /** One sentence for each gap that a newer base backup makes up for: only moments between both cannot be restored. */
  remarks: string[];
}

/** Reads every base backup and every segment again, and looks for gaps in the WAL that follows each base backup. */
export async function verifyArchive(archive: RecoveryArchive): Promise<Verified> {
  const faults: string[] = [];
  const tryTo = async (work: () => Promise<unknown>) => {
    await work().catch((error: unknown) =>
      faults.push(error instanceof Error ? error.message : String(error)),
    );
  };
  const { wal, bases: labels } = await archive.list();
  let bases: BaseManifest[] = [];
  await tryTo(async () => {
    bases = await archive.readBases(({ message }) => faults.push(message));
  });
  if (labels.length === 0) faults.push('there is no complete base backup');
  for (const { label } of bases)
    await tryTo(async () => {
      for await (const _ of await archive.readBase(label));
    });
  for (const name of wal) await tryTo(() => archive.readWal(name));
  const segments = wal.filter(isSegment);
  const gaps = new Map<string, boolean>();
  for (const timeline of new Set([...segments.map(timelineOf), ...bases.map((base) => base.timeline)]))
    await tryTo(async () => {
      const lineage = await readLineage(archive, new Set(wal), timeline);
      for (const { name, isCovered } of gapsIn(lineage, bases, segments))
        gaps.set(name, isCovered && (gaps.get(name) ?? true));
    });
  const remarks: string[] = [];
  for (const [name, isCovered] of [...gaps].sort())
    if (isCovered) remarks.push(`the segment ${name} is missing, and a newer base backup follows it`);
    else faults.push(`the segment ${name} is missing`);
  return { segments: segments.length, bases: bases.length, faults, remarks };
}

interface Gap {
  name: string;
  /** Whether a newer base backup follows it, so that the present can be restored without it. */
  isCovered: boolean;
}

/** Lists the segments that are missing between each base backup of a lineage and the lineage's end. */
function gapsIn(
  lineage: readonly LineageStep[],
  bases: readonly BaseFacts[],
  segments: readonly string[],
): Gap[] {
  const stored = new Set(segments);
  const end = segments.filter((name) => timelineOf(name) === lineage.at(-1)?.timeline).at(-1);
  const own = bases.filter((base) => baseFor([base], lineage, undefined));
  return own.flatMap((base) => {
    const start = positionOf(base.firstSegment);
    const followed = lineage.flatMap(({ timeline, endsIn }, index) => {
      if (timeline < base.timeline) return [];
      const from = timeline === base.timeline ? start : (lineage[index - 1]?.endsIn ?? start);
      const last = end && positionOf(end) > positionOf(base.lastSegment) ? end : base.lastSegment;
      const to = endsIn === undefined ? positionOf(last) : endsIn - 1n;
      return segmentsBetween(segmentName(timeline, from), segmentName(timeline, to));
    });
    return followed
      .filter((name) => !stored.has(name))
      .map((name) => ({
        name,
        isCovered:
          positionOf(name) > positionOf(base.lastSegment) &&
          own.some((other) => positionOf(other.firstSegment) > positionOf(name)),
      }));
  });
}
