import { readOwnStored, writeOwnStored } from '../browser/stored.ts';

const maxRecent = 3;
const separator = '\n';

const storageKey = (key: string) => `recent:${key}`;

/** Reads the latest choices, newest first. */
export function readRecent(key: string | undefined): readonly string[] {
  if (key === undefined) return [];
  return readOwnStored(storageKey(key))?.split(separator).slice(0, maxRecent) ?? [];
}

/** Puts a choice first and stores the latest ones. Returns them. */
export function writeRecent(
  key: string | undefined,
  recent: readonly string[],
  chosen: string,
): readonly string[] {
  if (key === undefined) return recent;
  const latest = [chosen, ...recent.filter((value) => value !== chosen)].slice(0, maxRecent);
  writeOwnStored(storageKey(key), latest.join(separator));
  return latest;
}
