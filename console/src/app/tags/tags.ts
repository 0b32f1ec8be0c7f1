import { forgetTabStored, readTabStored, writeTabStored } from '@hengfu/ui/browser/stored.ts';
import { create } from 'zustand';
import { pageMerchant, sessionUser } from '../../platform/session-store.ts';
import { menu, type PagePath } from '../menu.ts';
import { isPermitted, placeOf } from '../menu-rules.ts';
import { pinnedTag, readTags, type Tag } from './tag-rules.ts';

/** The tags of this browser tab. They survive a reload, and are kept per user and merchant. */
export const useTags = create<{ tags: readonly Tag[] }>(() => ({ tags: [pinnedTag] }));

/** Restores the tags that this browser tab stored for the signed-in user. */
export function startTags(): void {
  useTags.setState({ tags: [pinnedTag, ...readTags(readTabStored(storageKey()), isKnown)] });
}

export function setTags(tags: readonly Tag[]): void {
  useTags.setState({ tags });
  writeTabStored(storageKey(), JSON.stringify(tags));
}

/** Deletes the tags at every merchant, whose addresses may hold private data. */
export function forgetTags(): void {
  forgetTabStored(keyPrefix);
  useTags.setState({ tags: [pinnedTag] });
}

/** The tag of a page, from which its menu entry restores the page; undefined if the page is not open. */
export function useTagOf(path: PagePath): Tag | undefined {
  return useTags(({ tags }) => tags.find((tag) => tag.path === path));
}

const keyPrefix = 'tags:';
const storageKey = () => `${keyPrefix}${sessionUser()?.id ?? ''}.${pageMerchant() ?? ''}`;

function isKnown(path: string): path is PagePath {
  const user = sessionUser();
  const place = placeOf(menu, path);
  return user !== null && place !== undefined && place.page.path === path && isPermitted(place.page, user);
}
