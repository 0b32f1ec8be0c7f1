import { type RefObject, useEffect, useRef } from 'react';

/** A row that scrolls sideways by the wheel, and keeps the entry of the present page in view. */
export function useStrip(here: string | undefined): RefObject<HTMLUListElement | null> {
  const ref = useRef<HTMLUListElement>(null);
  useEffect(() => {
    const strip = ref.current;
    if (!strip) return;
    const onWheel = (event: WheelEvent) => {
      if (strip.scrollWidth <= strip.clientWidth || event.deltaY === 0) return;
      event.preventDefault();
      strip.scrollLeft += event.deltaY;
    };
    // React listens passively, which could not keep the page from scrolling too.
    strip.addEventListener('wheel', onWheel, { passive: false });
    return () => strip.removeEventListener('wheel', onWheel);
  }, []);
  useEffect(() => {
    const strip = ref.current;
    const active = here && strip?.querySelector<HTMLElement>('[data-active="true"]');
    if (!strip || !active) return;
    // Measured where the browser lays the page out anyway.
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
