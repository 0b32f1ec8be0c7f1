/** A value kept in this browser; undefined where there is none or storage is closed (private mode, policy). */
export function readStored(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a value in this browser, or forgets it (undefined). Where storage is closed the choice lasts for this page. */
export function writeStored(key: string, value: string | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // Nothing to do: the console works without.
  }
}
