import type { PageSearch } from '@hengfu/ui/browser/page-place.ts';
import { type AnyRouter, useRouter, useRouterState } from '@tanstack/react-router';
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

/** The component of a route. Undefined for a route without a page of its own. */
export function componentOf({ routesById }: AnyRouter, routeId: string): ComponentType | undefined {
  return routesById[routeId].options.component;
}

export function useActivePage(): ActivePage {
  const router = useRouter();
  const match = useRouterState({ select: ({ matches }) => matches.at(-1) });
  if (!match) return { path: undefined, page: undefined, redirectsTo: undefined };
  const { pathname, search, status, routeId } = match;
  const place = placeOf(menu, pathname)?.page;
  const Component = componentOf(router, routeId);
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
 * The kept pages once `active` is on screen: adds or updates it, drops hidden pages that need not be kept, and adds the one that
 * is expected next. Returns the same array if nothing changes.
 */
export function nextKeptPages(
  before: readonly KeptPage[],
  { path, page }: ActivePage,
  expected: KeptPage | undefined,
  isKept: (page: KeptPage) => boolean,
): readonly KeptPage[] {
  const remaining = before.filter((kept) => kept.path === path || kept === expected || isKept(kept));
  const existing = remaining.find((kept) => kept.path === path);
  if (page && !existing) return [...remaining, page];
  if (page && existing && !hasSameSearch(existing, page))
    return remaining.map((kept) => (kept === existing ? page : kept));
  if (expected && !remaining.some((kept) => kept.path === expected.path)) return [...remaining, expected];
  return remaining.length === before.length ? before : remaining;
}

function hasSameSearch(one: KeptPage, other: KeptPage): boolean {
  const names = new Set([...Object.keys(one.search), ...Object.keys(other.search)]);
  return [...names].every((name) => one.search[name] === other.search[name]);
}
