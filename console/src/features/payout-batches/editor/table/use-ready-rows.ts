import { useEffect, useState } from 'react';

/** Rows that get their controls in one frame: a phone needs some 10 ms for each. */
const rowsPerFrame = 4;

/**
 * Returns the lines whose cells are editable, of those on screen. The others are text until one of the next frames: a jump to
 * other rows would otherwise create hundreds of controls at once and block the page.
 */
export function useReadyRows(lines: readonly number[]): ReadonlySet<number> {
  const [ready, setReady] = useState<ReadonlySet<number>>(new Set());
  const joined = lines.join();
  useEffect(() => {
    const onScreen = joined === '' ? [] : joined.split(',').map(Number);
    const waiting = onScreen.filter((line) => !ready.has(line));
    if (waiting.length === 0) return;
    const frame = requestAnimationFrame(() => {
      const kept = onScreen.filter((line) => ready.has(line));
      setReady(new Set([...kept, ...waiting.slice(0, rowsPerFrame)]));
    });
    return () => cancelAnimationFrame(frame);
  }, [joined, ready]);
  return ready;
}
