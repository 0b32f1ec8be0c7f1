const markKey = 'reloadedForChunk';
/** Two failures within this time are one fault: reloading again would not help. */
const windowMs = 60_000;

let lastFailureMs = Number.NEGATIVE_INFINITY;

/**
 * Hears Vite's event for a chunk that fails to load: a release replaced it under an open tab, or the connection is
 * gone. Only where the reader waits for that chunk (`isNeeded`) something is done about it, since a failed prefetch
 * must not take away what somebody is typing: the page reloads, once, and only if the server can be reached.
 */
export function watchPreloadErrors(isNeeded: () => boolean): void {
  addEventListener('vite:preloadError', (event) => {
    if (!isNeeded()) return;
    // By its message the router would know it, and reload on its own, server or not.
    event.payload.message = `A part of the console is missing: ${event.payload.message}`;
    lastFailureMs = performance.now();
    void reloadIfServed();
  });
}

/** Whether a part of the console could not be loaded just now: what the error page speaks of. */
export function hasChunkFailed(): boolean {
  return performance.now() - lastFailureMs < windowMs;
}

/** A reload without a server would leave the reader with the browser's own error page. */
async function reloadIfServed(): Promise<void> {
  try {
    const last = Number(sessionStorage.getItem(markKey) ?? 0);
    if (Date.now() - last < windowMs) return;
    await fetch(location.href, { method: 'HEAD', cache: 'no-store' });
    sessionStorage.setItem(markKey, String(Date.now()));
    location.reload();
  } catch {
    // Not reachable, or storage is closed: the error page offers to try again.
  }
}
