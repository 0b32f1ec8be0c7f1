import type { PlainSearch } from '@hengfu/ui/browser/search.ts';
import type { PagePath } from '../menu.ts';

/** An open page, with the search parameters it was left with. */
export interface Tag {
  path: PagePath;
  search: PlainSearch;
}

/** An action in the context menu of a tag. */
export type TagAction = 'refresh' | 'close' | 'closeOthers' | 'closeLeft' | 'closeRight' | 'closeAll';

/** The first tag, which can't be closed. */
export const pinnedPath = '/dashboard' satisfies PagePath;
export const pinnedTag: Tag = { path: pinnedPath, search: {} };

/** Adds a tag at the end, or updates it in place. Returns the same array if nothing changes. */
export function withTag(tags: readonly Tag[], opened: Tag): readonly Tag[] {
  const at = tags.findIndex(({ path }) => path === opened.path);
  const existing = tags[at];
  if (!existing) return [...tags, opened];
  return isSameSearch(existing.search, opened.search) ? tags : tags.with(at, opened);
}

/** The tags that remain after an action on the tag of a path. */
export function tagsAfter(tags: readonly Tag[], path: PagePath, action: TagAction): readonly Tag[] {
  const at = tags.findIndex((tag) => tag.path === path);
  return tags.filter(
    (tag, index) => tag.path === pinnedPath || !isClosedBy(action, { index, at, isSame: tag.path === path }),
  );
}

/** The actions that would change something, in the menu's order. */
export function actionsOn(tags: readonly Tag[], path: PagePath): TagAction[] {
  const actions: TagAction[] = ['close', 'closeOthers', 'closeLeft', 'closeRight', 'closeAll'];
  const changes = (action: TagAction) => tagsAfter(tags, path, action).length < tags.length;
  return ['refresh', ...actions.filter(changes)];
}

/** The tag to open after the one on screen was closed: its right neighbor, else its left one. */
export function neighborOf(before: readonly Tag[], after: readonly Tag[], path: PagePath): Tag {
  const at = before.findIndex((tag) => tag.path === path);
  const nearest = [...before.slice(at + 1), ...before.slice(0, Math.max(at, 0)).reverse()];
  return nearest.find((tag) => after.some((left) => left.path === tag.path)) ?? pinnedTag;
}

/** Parses the tags stored for this browser tab. Drops broken, unknown and unpermitted ones. */
export function readTags(text: string | undefined, isKnown: (path: string) => path is PagePath): Tag[] {
  return parsedList(text).flatMap((entry) => {
    const { path, search } = entry as Partial<Record<keyof Tag, unknown>>;
    if (typeof path !== 'string' || !isKnown(path) || path === pinnedPath) return [];
    return [{ path, search: plainSearch(search) }];
  });
}

function isClosedBy(
  action: TagAction,
  { index, at, isSame }: { index: number; at: number; isSame: boolean },
) {
  switch (action) {
    case 'refresh':
      return false;
    case 'close':
      return isSame;
    case 'closeOthers':
      return !isSame;
    case 'closeLeft':
      return index < at;
    case 'closeRight':
      return index > at;
    case 'closeAll':
      return true;
  }
}

function isSameSearch(a: PlainSearch, b: PlainSearch): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name]);
}

function parsedList(text: string | undefined): object[] {
  try {
    const parsed: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(parsed) ? parsed.filter((entry) => typeof entry === 'object' && entry !== null) : [];
  } catch {
    return [];
  }
}

function plainSearch(value: unknown): PlainSearch {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
