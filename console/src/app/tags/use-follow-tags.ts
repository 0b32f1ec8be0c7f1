import { useRouter } from '@tanstack/react-router';
import { useLayoutEffect } from 'react';
import { menu } from '../menu.ts';
import { placeOf } from '../menu-rules.ts';
import { withTag } from './tag-rules.ts';
import { setTags, startTags, useTags } from './tags.ts';

/** Adds a tag for each opened page, and keeps the tag's search parameters up to date. */
export function useFollowTags(): void {
  const router = useRouter();
  useLayoutEffect(() => {
    const follow = ({ pathname, search }: { pathname: string; search: object }) => {
      const place = placeOf(menu, pathname);
      if (!place) return;
      const { tags } = useTags.getState();
      const next = withTag(tags, { path: place.page.path, search: { ...search } });
      if (next !== tags) setTags(next);
    };
    startTags();
    follow(router.state.location);
    return router.subscribe('onResolved', ({ toLocation }) => follow(toLocation));
  }, [router]);
}
