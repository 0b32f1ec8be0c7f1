import { stringifyPlainSearch } from '@hengfu/ui/browser/search.ts';
import { useNavigate } from '@tanstack/react-router';
import type { PagePath } from '../menu.ts';
import { usePlace } from '../shell/use-place.ts';
import { neighborOf, type Tag, type TagAction, tagsAfter } from './tag-rules.ts';
import { setTags, useTags } from './tags.ts';

/** Runs an action of a tag's menu. If it closes the page on screen, navigates to a remaining tag. */
export function useTagActions(): (path: PagePath, action: TagAction) => void {
  const navigate = useNavigate();
  const tags = useTags((state) => state.tags);
  const currentPath = usePlace()?.page.path;
  return (path, action) => {
    const chosen = tags.find((tag) => tag.path === path);
    if (!chosen) return;
    if (action === 'refresh') return void navigate({ href: `/redirect${hrefOf(chosen)}`, replace: true });
    const remaining = tagsAfter(tags, path, action);
    setTags(remaining);
    if (!currentPath || remaining.some((tag) => tag.path === currentPath)) return;
    const next = remaining.includes(chosen) ? chosen : neighborOf(tags, remaining, currentPath);
    void navigate({ href: hrefOf(next) });
  };
}

function hrefOf({ path, search }: Tag): string {
  return path + stringifyPlainSearch(search);
}
