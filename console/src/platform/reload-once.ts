const markKey = 'reloadedForChunk';
/** Two failures within this time are one fault: reloading again would not help. */
const windowMs = 60_000;

/**
 * Reloads the page once when a chunk is gone (a release replaced it under an open tab). Returns false where that was
 * tried just before: the caller shows the error page then.
 */
export function reloadOnce(): boolean {
  try {
    const last = Number(sessionStorage.getItem(markKey) ?? 0);
    if (Date.now() - last < windowMs) return false;
    sessionStorage.setItem(markKey, String(Date.now()));
  } catch {
    return false;
  }
  location.reload();
  return true;
}

/**
 * Hears Vite's event for a chunk that fails to load. Only where the reader waits for that chunk (`isNeeded`) the page
 * reloads: a failed prefetch must not take away what somebody is typing.
 */
export function watchPreloadErrors(isNeeded: () => boolean): void {
  addEventListener('vite:preloadError', (event) => {
    // Prevented, the import resolves to nothing, on a page that is going away. Otherwise Vite throws the error on.
    if (isNeeded() && reloadOnce()) event.preventDefault();
  });
}
