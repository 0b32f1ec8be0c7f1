import type { BaseManifest, RecoveryArchive } from './recovery-archive.ts';
import { isSegment, positionOf, timelineOf } from './wal.rules.ts';

/** The result of reading an archive completely. */
export interface Verified {
  segments: number;
  bases: number;
  /** One sentence each; empty if everything that a restore may need is there and as it was written. */
  faults: string[];
}

/** Reads every base backup and every segment again, and looks for gaps between the segments of a timeline. */
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
    bases = await archive.readBases();
  });
  if (labels.length === 0) faults.push('there is no complete base backup');
  for (const { label } of bases)
    await tryTo(async () => {
      for await (const _ of await archive.readBase(label));
    });
  for (const name of wal) await tryTo(() => archive.readWal(name));
  const segments = wal.filter(isSegment);
  for (const [index, name] of segments.entries()) {
    const next = segments[index + 1];
    if (!next || timelineOf(next) !== timelineOf(name) || positionOf(next) === positionOf(name) + 1n)
      continue;
    faults.push(`there is no segment between ${name} and ${next}`);
  }
  return { segments: segments.length, bases: bases.length, faults };
}
