const markKey = 'reloadedForChunk';
/** Reload at most once in this time: a second failure shows that reloading does not help. */
const windowMs = 60_000;
const reportMs = 100;

let lastFailureMs = Number.NEGATIVE_INFINITY;

/**
 * Handles Vite's event for a chunk that fails to load: a release replaced it under an open tab, or the
 * connection is lost. If the user is waiting for the chunk (`isNeeded`), reloads the page, once, and only if
 * the server is reachable. A failed prefetch is ignored, because a reload would discard what the user is
 * typing.
 */
export function watchPreloadErrors(isNeeded: () => boolean): void {
  addEventListener('vite:preloadError', (event) => {
    if (!isNeeded()) return;
    // Changed so that the router does not recognize the message: it would reload even without a server.
    event.payload.message = `A part of the console is missing: ${event.payload.message}`;
    lastFailureMs = performance.now();
    void reloadIfServed();
  });
}

/** Whether a chunk has failed to load recently; the error page says so. */
export function hasChunkFailed(): boolean {
  return performance.now() - lastFailureMs < windowMs;
}

/**
 * Tries again to show what needs a chunk that has failed to load, because the user asks for it. Some browsers remember that a module could not
 * be fetched, and refuse it from then on without a request; then the page is reloaded, if the server responds and the user is still there.
 */
export async function tryChunkAgain(show: () => Promise<void>): Promise<void> {
  const { href } = location;
  const failedMs = lastFailureMs;
  let isRequested = false;
  const look = (entries: PerformanceEntryList) => {
    isRequested ||= entries.some(({ name }) => name.includes('/assets/'));
  };
  const requests = new PerformanceObserver((list) => look(list.getEntries()));
  requests.observe({ type: 'resource' });
  try {
    await show();
    // Requests are reported in a task of their own.
    await new Promise((resolve) => setTimeout(resolve, reportMs));
    look(requests.takeRecords());
  } finally {
    requests.disconnect();
  }
  if (lastFailureMs > failedMs && !isRequested)
    await reloadIfServed({ anew: true, isNeeded: () => location.href === href });
}

/**
 * Reloads if the server responds; otherwise the user would end up on the browser's error page.
 * @param options `anew` reloads even if a reload has just not helped; `isNeeded` is asked once the server has responded
 */
export async function reloadIfServed({ anew = false, isNeeded = (): boolean => true } = {}): Promise<void> {
  try {
    const last = Number(sessionStorage.getItem(markKey) ?? 0);
    if (!anew && Date.now() - last < windowMs) return;
    await fetch(location.href, { method: 'HEAD', cache: 'no-store' });
    if (!isNeeded()) return;
    sessionStorage.setItem(markKey, String(Date.now()));
    location.reload();
  } catch {
    // Server unreachable, or no access to storage: the error page offers a retry.
  }
}
