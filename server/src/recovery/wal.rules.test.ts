import { describe, expect, it } from 'vitest';
import {
  type BaseFacts,
  baseFor,
  isArchived,
  leftOut,
  lineageOf,
  outdated,
  positionOf,
  segmentName,
} from './wal.rules.ts';

const at = (day: number) => new Date(Date.UTC(2026, 0, day));
const base = (day: number, position: bigint, timeline = 1): BaseFacts => ({
  timeline,
  firstSegment: segmentName(timeline, position),
  lastSegment: segmentName(timeline, position + 1n),
  stoppedAt: at(day),
});

describe('names of segments', () => {
  it('follow each other across the files of 4 GiB', () => {
    expect(segmentName(1, positionOf('0000000100000000000000FF') + 1n)).toBe('000000010000000100000000');
    expect(segmentName(10, positionOf('0000000A0000001200000034'))).toBe('0000000A0000001200000034');
  });

  it.each([
    ['000000010000000000000001', true],
    ['00000002.history', true],
    ['000000010000000000000003.00000028.backup', true],
    ['000000010000000000000001.partial', false],
    ['../00000001', false],
  ])('%s: archived is %s', (name, expected) => expect(isArchived(name)).toBe(expected));
});

describe('a base backup for a moment', () => {
  const history = '1\t0/5000000\tbefore 2026-01-05\n\n2\t0/9000028\tno recovery target specified\n';
  const lineage = lineageOf(3, history);

  it('has its timeline among the ancestors of the one that is followed', () => {
    expect(lineage).toEqual([
      { timeline: 1, endsIn: 5n, firstAfter: 5n },
      { timeline: 2, endsIn: 9n, firstAfter: 10n },
      { timeline: 3, endsIn: undefined },
    ]);
    expect(baseFor([base(1, 1n), base(2, 3n), base(3, 7n, 4)], lineage, at(9))).toEqual(base(2, 3n));
  });

  it('was complete before the moment, and before the timeline ended', () => {
    const bases = [base(1, 1n), base(2, 3n), base(6, 20n), base(7, 12n, 3)];
    expect(baseFor(bases, lineage, at(1))).toEqual(base(1, 1n));
    expect(baseFor(bases, lineage, at(6))).toEqual(base(2, 3n));
    expect(baseFor(bases, lineage, undefined)).toEqual(base(7, 12n, 3));
    expect(baseFor(bases, lineage, new Date(at(1).getTime() - 1))).toBeUndefined();
  });
});

describe('what a restore along the newest timeline would leave out', () => {
  const lineage = lineageOf(2, '1\t0/5000028\tbefore 2026-01-05\n');
  const labelled = (day: number, position: bigint, timeline: number) => ({
    ...base(day, position, timeline),
    label: `base-${day}`,
  });
  const own = [labelled(1, 1n, 1), labelled(5, 6n, 2)];

  it('is a segment of an ancestor after the branch, not the one in which it branched off', () => {
    expect(
      leftOut(own, [segmentName(1, 4n), segmentName(1, 5n), segmentName(2, 9n)], lineage),
    ).toBeUndefined();
    expect(leftOut(own, [segmentName(1, 6n)], lineage)).toBe(
      'the segment 000000010000000000000006 of timeline 1',
    );
    const atBoundary = lineageOf(2, '1\t0/5000000\tno recovery target specified\n');
    expect(leftOut(own, [segmentName(1, 5n)], atBoundary)).toContain('000000010000000000000005');
  });

  it('is a newer base backup of another timeline', () => {
    expect(leftOut([...own, labelled(4, 8n, 3)], [], lineage)).toBeUndefined();
    expect(leftOut([...own, labelled(6, 8n, 3)], [], lineage)).toBe('the base backup base-6 of timeline 3');
  });
});

describe('retention', () => {
  const wal = [1n, 4n, 5n, 9n].map((position) => segmentName(1, position));

  it('keeps the oldest base backup that covers the window, and the WAL from it on', () => {
    const bases = [base(1, 1n), base(3, 5n), base(5, 9n)];
    expect(outdated(bases, [...wal, '00000002.history'], at(4))).toEqual({
      bases: [base(1, 1n)],
      wal: wal.slice(0, 2),
    });
  });

  it('removes nothing as long as no base backup covers the window', () => {
    expect(outdated([base(3, 5n), base(5, 9n)], wal, at(2))).toEqual({ bases: [], wal: [] });
    expect(outdated([], wal, at(2))).toEqual({ bases: [], wal: [] });
  });
});
