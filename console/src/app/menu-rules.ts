import { isSharedRole, permsIn } from '@hengfu/contract/permissions';
import type { CurrentUser } from '@hengfu/contract/session';
import type { Translate } from '@hengfu/ui/language/i18n.ts';
import { hasPerm } from '../platform/session-store.ts';
import type { MenuGroup, MenuPage, PagePath } from './menu.ts';

/** Whether nobody can open a page in the mode that a user works in: no role gives one of its permissions there. */
export function isLiveOnly({ perms }: Pick<MenuPage, 'perms'>, { merchant }: CurrentUser): boolean {
  return perms !== undefined && permsIn(merchant.mode, perms).length === 0;
}

/**
 * Whether a user may open a page: one role in common (ROOT has all), and any one of the page's permissions
 * (specification, point 6). A role of the merchant's own opens what its permissions open.
 */
export function isPermitted(page: Pick<MenuPage, 'roles' | 'perms'>, user: CurrentUser): boolean {
  if (isLiveOnly(page, user)) return false;
  if (user.roles.includes('ROOT')) return true;
  const hasRole = user.roles.some((role) => !isSharedRole(role) || page.roles.includes(role));
  return hasRole && (page.perms === undefined || hasPerm(user, ...page.perms));
}

/** The menu as a user sees it: permitted pages that are not hidden, without empty groups. */
export function visibleMenu(groups: readonly MenuGroup[], user: CurrentUser): MenuGroup[] {
  return groups
    .map((group) => ({
      ...group,
      children: group.children.filter((page) => !page.hidden && isPermitted(page, user)),
    }))
    .filter((group) => group.children.length > 0);
}

/** The first page of a user's menu, which opens after signing in. */
export function homeOf(groups: readonly MenuGroup[], user: CurrentUser): PagePath {
  return visibleMenu(groups, user)[0]?.children[0]?.path ?? '/403';
}

/** A page and its group. */
export interface Place {
  group: MenuGroup;
  page: MenuPage;
}

/** Finds a path in the menu, ignoring letter case as the router does. Undefined if it is not in the menu. */
export function placeOf(groups: readonly MenuGroup[], pathname: string): Place | undefined {
  const normalized = pathname.toLowerCase().replace(/\/+$/, '');
  for (const group of groups) {
    const page = group.children.find((candidate) => candidate.path.toLowerCase() === normalized);
    if (page) return { group, page };
  }
  return undefined;
}

/** A step of the breadcrumb before the page itself. */
export interface Step {
  title: MenuPage['title'];
  path: PagePath;
}

/**
 * The steps before a page: the dashboard and the page's group, each with a path that the user may open. A
 * group with only one page for this user is left out, as in the menu.
 */
export function stepsTo(groups: readonly MenuGroup[], { group, page }: Place, user: CurrentUser): Step[] {
  const visible = visibleMenu(groups, user);
  const home = visible[0]?.children.find(({ path }) => path === '/dashboard');
  const pages = visible.find(({ path }) => path === group.path)?.children ?? [];
  const target = pages.find(({ path }) => path === group.redirect) ?? pages[0];
  return [
    ...(home && page.path !== home.path ? [{ title: home.title, path: home.path }] : []),
    ...(target && pages.length > 1 ? [{ title: group.title, path: target.path }] : []),
  ];
}

/** The name of a page beside other open pages: with its group if another page has the same title. */
export function distinctName(groups: readonly MenuGroup[], { group, page }: Place, t: Translate): string {
  const title = t(page.title);
  const isShared = groups.some(({ children }) =>
    children.some((other) => other.path !== page.path && t(other.title) === title),
  );
  return isShared ? `${t(group.title)} · ${title}` : title;
}
