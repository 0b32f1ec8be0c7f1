/** A value kept in this browser; undefined where there is none or storage is closed (private mode, policy). */
export function readStored(key: string): string | undefined {
  return read(() => localStorage, key);
}

/** Keeps a value in this browser, or forgets it (undefined). Where storage is closed the choice lasts for this page. */
export function writeStored(key: string, value: string | undefined): void {
  write(() => localStorage, key, value);
}

/** A value kept for this tab of the browser, until the tab is closed. */
export function readTabStored(key: string): string | undefined {
  return read(() => sessionStorage, key);
}

/** Keeps a value for this tab of the browser, or forgets it (undefined). */
export function writeTabStored(key: string, value: string | undefined): void {
  write(() => sessionStorage, key, value);
}

/** The storage by a function: naming it throws where it is closed. */
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
    // Nothing to do: the console works without.
  }
}
