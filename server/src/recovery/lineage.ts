import type { RecoveryArchive } from './recovery-archive.ts';
import { historyName, type LineageStep, lineageOf } from './wal.rules.ts';

/** Reads the ancestors of a timeline from its history file in an archive. Throws if that is missing. */
export async function readLineage(
  archive: RecoveryArchive,
  names: ReadonlySet<string>,
  timeline: number,
): Promise<LineageStep[]> {
  const name = historyName(timeline);
  if (timeline > 1 && !names.has(name))
    throw new Error(`${name} is missing from the archive: the timeline ${timeline} cannot be followed`);
  return lineageOf(timeline, timeline > 1 ? String(await archive.readWal(name)) : '');
}
