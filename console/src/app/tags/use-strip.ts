import { type RefObject, useEffect, useRef } from 'react';

/** Makes a row scroll sideways by mouse wheel, and keeps the entry of the current page in view. */
export function useStrip(currentPath: string | undefined): RefObject<HTMLUListElement | null> {
  const ref = useRef<HTMLUListElement>(null);
  useEffect(() => {
    const strip = ref.current;
    if (!strip) return;
    const onWheel = (event: WheelEvent) => {
      if (strip.scrollWidth <= strip.clientWidth || event.deltaY === 0) return;
      event.preventDefault();
      strip.scrollLeft += event.deltaY;
    };
    // React's wheel listeners are passive and could not prevent the page from scrolling too.
    strip.addEventListener('wheel', onWheel, { passive: false });
    return () => strip.removeEventListener('wheel', onWheel);
  }, []);
  useEffect(() => {
    const strip = ref.current;
    const active = currentPath && strip?.querySelector<HTMLElement>('[data-active="true"]');
    if (!strip || !active) return;
    // Measured in an animation frame, to avoid a forced layout.
    const frame = requestAnimationFrame(() => bringIntoView(strip, active));
    return () => cancelAnimationFrame(frame);
  });
  return ref;
}

function bringIntoView(strip: HTMLElement, entry: HTMLElement): void {
  const before = entry.offsetLeft - strip.scrollLeft;
  const after = before + entry.offsetWidth - strip.clientWidth;
  if (before < 0) strip.scrollLeft += before;
  else if (after > 0) strip.scrollLeft += after;
}
