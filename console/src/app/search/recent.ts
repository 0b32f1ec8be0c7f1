import { type SearchKind, searchKinds } from '@hengfu/contract/search';
import { readStored, writeStored } from '@hengfu/ui/browser/stored.ts';
import * as z from 'zod';
import { openedKey } from './forget-opened.ts';

const maxRecent = 5;

/** An opened item. Only its number, no names or amounts, because it is kept in the browser. */
const recent = z.object({ kind: z.enum(searchKinds), number: z.string().max(64) });
export type Recent = z.output<typeof recent>;
const storedRecent = z.object({ userId: z.string(), opened: z.array(recent).max(maxRecent) });

/** Entries that a user recently opened from the search in this browser, newest first. */
export function recentlyOpened(userId: string): Recent[] {
  try {
    const found = storedRecent.safeParse(JSON.parse(readStored(openedKey) ?? 'null'));
    return found.success && found.data.userId === userId ? found.data.opened : [];
  } catch {
    return [];
  }
}

export function noteOpened(userId: string, { kind, number }: { kind: SearchKind; number: string }): void {
  const others = recentlyOpened(userId).filter((other) => other.number !== number);
  const opened = [{ kind, number }, ...others].slice(0, maxRecent);
  writeStored(openedKey, JSON.stringify({ userId, opened }));
}
