import type { PageSearch } from '@hengfu/ui/browser/page-place.ts';
import { useRouter, useRouterState } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { menu, type PagePath } from '../menu.ts';
import { placeOf } from '../menu-rules.ts';

/** A page that stays mounted while others are on screen. */
export interface KeptPage {
  path: PagePath;
  Component: ComponentType;
  search: PageSearch;
}

/** The page that the router has on screen. */
export interface ActivePage {
  /** Path in the menu; undefined on an error page. */
  path: PagePath | undefined;
  /** For {@link KeptPages}; undefined for pages that are never kept, and while loading or after a failure. */
  page: KeptPage | undefined;
  /** The page that is being refreshed: about to be mounted again. */
  redirectsTo: PagePath | undefined;
}

const redirectPath = /^\/redirect(?=\/)/;

export function useActivePage(): ActivePage {
  const { routesById } = useRouter();
  const match = useRouterState({ select: ({ matches }) => matches.at(-1) });
  if (!match) return { path: undefined, page: undefined, redirectsTo: undefined };
  const { pathname, search, status, routeId } = match;
  const place = placeOf(menu, pathname)?.page;
  const Component: ComponentType | undefined = routesById[routeId].options.component;
  const path = place?.path;
  const isReady = place && !place.isFresh && status === 'success' && Component;
  return {
    path,
    page: isReady ? { path: place.path, Component, search } : undefined,
    redirectsTo: redirectPath.test(pathname)
      ? placeOf(menu, pathname.replace(redirectPath, ''))?.page.path
      : undefined,
  };
}

/**
 * The kept pages once `active` is on screen: adds or updates it, and drops hidden pages that need not be
 * kept. Returns the same array if nothing changes.
 */
export function nextKeptPages(
  before: readonly KeptPage[],
  { path, page }: ActivePage,
  isKept: (page: KeptPage) => boolean,
): readonly KeptPage[] {
  const remaining = before.filter((kept) => kept.path === path || isKept(kept));
  const existing = remaining.find((kept) => kept.path === path);
  if (page && !existing) return [...remaining, page];
  if (page && existing && existing.search !== page.search)
    return remaining.map((kept) => (kept === existing ? page : kept));
  return remaining.length === before.length ? before : remaining;
}
