const pages: ReadonlySet<string> = new Set(['/401', '/403', '/404']);

/** Whether a page opens without signing in. */
export function isOpenPath(pathname: string): boolean {
  return pages.has(pathname) || pathname.startsWith('/slip/') || pathname.startsWith('/invitation/');
}
