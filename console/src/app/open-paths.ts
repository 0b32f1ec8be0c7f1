const pages: ReadonlySet<string> = new Set(['/401', '/403', '/404']);

/** Whether a page opens to somebody who is not signed in. */
export function isOpenPath(pathname: string): boolean {
  return pages.has(pathname) || pathname.startsWith('/slip/');
}
