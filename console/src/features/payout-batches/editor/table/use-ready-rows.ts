import { useEffect, useState } from 'react';

/** Rows that get their controls in one frame: a phone needs some 10 ms for each. */
const rowsPerFrame = 4;

interface ReadyRowsOptions {
  /** The lines of the rows on screen. */
  lines: readonly number[];
  isScrolling: boolean;
  /** The line whose cell is about to get the focus: it does not wait for the end of scrolling. */
  wanted: number | undefined;
}

/**
 * Returns the lines whose cells are editable, of those on screen. The others are text while the user scrolls, and until one of
 * the next frames: hundreds of controls at once would block the page.
 */
export function useReadyRows({ lines, isScrolling, wanted }: ReadyRowsOptions): ReadonlySet<number> {
  const [ready, setReady] = useState<ReadonlySet<number>>(new Set());
  const joined = lines.join();
  const kept = lines.filter((line) => ready.has(line));
  // Rows that come back are text again, too.
  if (kept.length < ready.size) setReady(new Set(kept));
  useEffect(() => {
    const onScreen = joined === '' ? [] : joined.split(',').map(Number);
    const waiting = onScreen.filter((line) => !ready.has(line) && (!isScrolling || line === wanted));
    if (waiting.length === 0) return;
    const frame = requestAnimationFrame(() => {
      setReady(new Set([...ready, ...waiting.slice(0, rowsPerFrame)]));
    });
    return () => cancelAnimationFrame(frame);
  }, [joined, ready, isScrolling, wanted]);
  return ready;
}
