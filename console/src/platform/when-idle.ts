/** Runs once a time in ms has passed and the browser has nothing to do. Returns what takes it back. */
export function whenIdleAfter(ms: number, run: () => void): () => void {
  let isWanted = true;
  const timer = setTimeout(() => whenIdle(() => isWanted && run()), ms);
  return () => {
    isWanted = false;
    clearTimeout(timer);
  };
}

/** Runs once the page has loaded and the browser has nothing to do, after 3 s in any case. */
export function whenIdle(run: () => void): void {
  const schedule = () => {
    // Safari has no requestIdleCallback; a moment after load is near enough.
    if ('requestIdleCallback' in window) requestIdleCallback(run, { timeout: 3000 });
    else setTimeout(run, 500);
  };
  if (document.readyState === 'complete') schedule();
  else addEventListener('load', schedule, { once: true });
}
