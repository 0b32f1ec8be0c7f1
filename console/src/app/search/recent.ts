import { type SearchKind, searchKinds } from '@hengfu/contract/search';
import type { CurrentUser } from '@hengfu/contract/session';
import { readStored, writeStored } from '@hengfu/ui/browser/stored.ts';
import * as z from 'zod';
import { openedKey } from './forget-opened.ts';

const maxRecent = 5;

/** An opened item. Only its number, no names or amounts, because it is kept in the browser. */
const recent = z.object({ kind: z.enum(searchKinds), number: z.string().max(64) });
export type Recent = z.output<typeof recent>;
const storedRecent = z.object({
  userId: z.string(),
  merchant: z.string(),
  opened: z.array(recent).max(maxRecent),
});

/** The user, and the merchant that the page was rendered for. */
type Owner = Pick<CurrentUser, 'id' | 'merchant'>;

/** Entries of a merchant that a user recently opened from the search in this browser, newest first. */
export function recentlyOpened({ id, merchant }: Owner): Recent[] {
  try {
    const found = storedRecent.safeParse(JSON.parse(readStored(openedKey) ?? 'null'));
    if (!found.success) return [];
    const isOwn = found.data.userId === id && found.data.merchant === merchant.code;
    return isOwn ? found.data.opened : [];
  } catch {
    return [];
  }
}

export function noteOpened(owner: Owner, { kind, number }: { kind: SearchKind; number: string }): void {
  const others = recentlyOpened(owner).filter((other) => other.number !== number);
  const opened = [{ kind, number }, ...others].slice(0, maxRecent);
  writeStored(openedKey, JSON.stringify({ userId: owner.id, merchant: owner.merchant.code, opened }));
}
