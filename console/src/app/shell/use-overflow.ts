import { type RefObject, useLayoutEffect, useState } from 'react';

/** Counts how many of a row's entries fit. Hide the rest, but keep them mounted to be measured again. */
export function useOverflow(row: RefObject<HTMLElement | null>, count: number): number {
  const [fitting, setFitting] = useState(count);
  useLayoutEffect(() => {
    const element = row.current;
    if (!element) return;
    const measure = () => {
      const end = element.getBoundingClientRect().right + 1;
      const beyond = [...element.children].findIndex((entry) => entry.getBoundingClientRect().right > end);
      setFitting(beyond < 0 ? count : beyond);
    };
    measure();
    const observer = new ResizeObserver(measure);
    // The entries too: switching the language changes their widths, but not the row's.
    for (const watched of [element, ...element.children]) observer.observe(watched);
    return () => observer.disconnect();
  }, [row, count]);
  return fitting;
}
