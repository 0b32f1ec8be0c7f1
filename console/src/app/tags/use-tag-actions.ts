import { useNavigate } from '@tanstack/react-router';
import { stringifyPlainSearch } from '../../platform/search.ts';
import type { PagePath } from '../menu.ts';
import { usePlace } from '../shell/use-place.ts';
import { neighbourOf, type Tag, type TagAction, tagsAfter } from './tag-rules.ts';
import { setTags, useTags } from './tags.ts';

/** Does what a tag's menu offers. Who loses the page on screen by it is led to a tag that is left. */
export function useTagActions(): (path: PagePath, action: TagAction) => void {
  const navigate = useNavigate();
  const tags = useTags((state) => state.tags);
  const here = usePlace()?.page.path;
  return (path, action) => {
    const chosen = tags.find((tag) => tag.path === path);
    if (!chosen) return;
    if (action === 'refresh') return void navigate({ href: `/redirect${hrefOf(chosen)}`, replace: true });
    const left = tagsAfter(tags, path, action);
    setTags(left);
    if (!here || left.some((tag) => tag.path === here)) return;
    const next = left.includes(chosen) ? chosen : neighbourOf(tags, left, here);
    void navigate({ href: hrefOf(next) });
  };
}

function hrefOf({ path, search }: Tag): string {
  return path + stringifyPlainSearch(search);
}
