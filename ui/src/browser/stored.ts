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

let owner = '';

/**
 * Sets the owner of the values that belong to one user at one merchant. Without one, such values have no owner, as in an app that
 * has no users.
 */
export function setStorageOwner(id: string): void {
  owner = `@${id}`;
}

/** Reads a value that this browser stores for the owner: what one user keeps at one merchant is not read at another one. */
export function readOwnStored(key: string): string | undefined {
  return readStored(key + owner);
}

/** Stores a value for the owner in this browser, or removes it (undefined). */
export function writeOwnStored(key: string, value: string | undefined): void {
  writeStored(key + owner, value);
}

/** Reads a value stored for this browser tab, which lasts until the tab is closed. */
export function readTabStored(key: string): string | undefined {
  return read(() => sessionStorage, key);
}

/** Stores a value for this browser tab, or removes it (undefined). */
export function writeTabStored(key: string, value: string | undefined): void {
  write(() => sessionStorage, key, value);
}

/** Removes the values of this browser tab whose keys begin like this. */
export function forgetTabStored(prefix: string): void {
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) sessionStorage.removeItem(key);
  } catch {
    // Nothing can be stored where storage is unavailable.
  }
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
