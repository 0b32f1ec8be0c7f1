/**
 * Reads a value stored in this browser; undefined if absent or storage is unavailable (private mode, policy).
 */
export function readStored(key: string): string | undefined {
  return read(() => localStorage, key);
}

/** Stores a value in this browser, or removes it (undefined). Does nothing if storage is unavailable. */
export function writeStored(key: string, value: string | undefined): void {
  write(() => localStorage, key, value);
}

/** Reads a value stored for this browser tab, which lasts until the tab is closed. */
export function readTabStored(key: string): string | undefined {
  return read(() => sessionStorage, key);
}

/** Stores a value for this browser tab, or removes it (undefined). */
export function writeTabStored(key: string, value: string | undefined): void {
  write(() => sessionStorage, key, value);
}

/** Takes the storage as a function, because merely accessing it throws if it is blocked. */
function read(storage: () => Storage, key: string): string | undefined {
  try {
    return storage().getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

function write(storage: () => Storage, key: string, value: string | undefined): void {
  try {
    if (value === undefined) storage().removeItem(key);
    else storage().setItem(key, value);
  } catch {
    // The console works without storage.
  }
}
