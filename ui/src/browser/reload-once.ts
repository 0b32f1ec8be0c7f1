const markKey = 'reloadedForChunk';
/** Reload at most once in this time: a second failure shows that reloading does not help. */
const windowMs = 60_000;

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

/** Reloads if the server responds; otherwise the user would end up on the browser's error page. */
export async function reloadIfServed(): Promise<void> {
  try {
    const last = Number(sessionStorage.getItem(markKey) ?? 0);
    if (Date.now() - last < windowMs) return;
    await fetch(location.href, { method: 'HEAD', cache: 'no-store' });
    sessionStorage.setItem(markKey, String(Date.now()));
    location.reload();
  } catch {
    // Server unreachable, or no access to storage: the error page offers a retry.
  }
}
