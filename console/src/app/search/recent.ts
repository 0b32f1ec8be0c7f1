import { type SearchKind, searchKinds } from '@hengfu/contract/search';
import * as z from 'zod';
import { readStored, writeStored } from '../../platform/stored.ts';
import { openedKey } from './forget-opened.ts';

const mostKept = 5;

/** A thing that was opened: its number only, no name and no figure, as it stays in the browser. */
const recent = z.object({ kind: z.enum(searchKinds), number: z.string().max(64) });
export type Recent = z.output<typeof recent>;
const kept = z.object({ userId: z.string(), opened: z.array(recent).max(mostKept) });

/** What a user opened last from the search in this browser, the last first. */
export function recentlyOpened(userId: string): Recent[] {
  try {
    const found = kept.safeParse(JSON.parse(readStored(openedKey) ?? 'null'));
    return found.success && found.data.userId === userId ? found.data.opened : [];
  } catch {
    return [];
  }
}

export function noteOpened(userId: string, { kind, number }: { kind: SearchKind; number: string }): void {
  const others = recentlyOpened(userId).filter((other) => other.number !== number);
  const opened = [{ kind, number }, ...others].slice(0, mostKept);
  writeStored(openedKey, JSON.stringify({ userId, opened }));
}
