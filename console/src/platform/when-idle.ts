/** Runs once the page has loaded and the browser is idle, at the latest 3 s after loading. */
export function whenIdle(run: () => void): void {
  const schedule = () => {
    // Safari has no requestIdleCallback; shortly after load is close enough.
    if ('requestIdleCallback' in window) requestIdleCallback(run, { timeout: 3000 });
    else setTimeout(run, 500);
  };
  if (document.readyState === 'complete') schedule();
  else addEventListener('load', schedule, { once: true });
}
