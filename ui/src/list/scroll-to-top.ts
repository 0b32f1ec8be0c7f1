/**
 * Scrolls the rows of a list to their top. Where the drawer or the whole page scrolls instead of their region, scrolls that up until the
 * first row is visible; never down, since rows below the visible part have not been read yet.
 */
export function scrollToTop(region: HTMLElement): void {
  region.scrollTo({ top: 0 });
  const covered = Number.parseFloat(getComputedStyle(region).scrollMarginBlockStart);
  const isAbove = region.getBoundingClientRect().top < visibleTop(region) + covered;
  if (isAbove) region.scrollIntoView({ block: 'start' });
}

/** The top of the visible part of what scrolls an element, in CSS pixels from the top of the window. */
function visibleTop(element: HTMLElement): number {
  let around = element.parentElement;
  while (around && !/auto|scroll/.test(getComputedStyle(around).overflowY)) around = around.parentElement;
  // The top of a scrolled page is above the window.
  return Math.max(0, around?.getBoundingClientRect().top ?? 0);
}
