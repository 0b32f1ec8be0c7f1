import { useRouter, useRouterState } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import type { PageSearch } from '../../platform/page-place.ts';
import { menu, type PagePath } from '../menu.ts';
import { placeOf } from '../menu-rules.ts';

/** A page that stays mounted while others are on screen. */
export interface KeptPage {
  path: PagePath;
  Component: ComponentType;
  search: PageSearch;
}

/** What the router has on screen. */
export interface ActivePage {
  /** Of the menu; undefined on an error page. */
  path: PagePath | undefined;
  /** Ready to be shown by {@link KeptPages}; undefined for what is never kept, and while it loads or has failed. */
  page: KeptPage | undefined;
  /** The page that is about to be mounted anew. */
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

/** The kept pages once `active` is on screen: with it, without those that are away and not kept any more. */
export function keptAfter(
  before: readonly KeptPage[],
  { path, page }: ActivePage,
  isKept: (page: KeptPage) => boolean,
): readonly KeptPage[] {
  const left = before.filter((kept) => kept.path === path || isKept(kept));
  const known = left.find((kept) => kept.path === path);
  if (page && !known) return [...left, page];
  if (page && known && known.search !== page.search)
    return left.map((kept) => (kept === known ? page : kept));
  return left.length === before.length ? before : left;
}
