/**
 * Returns where to go after sign-in: the target if it is a path of this site, else '/'. Checks the parsed
 * origin, not the text, because browsers resolve `//host`, `/\host` and control characters to other sites.
 */
export function safeRedirect(target: unknown, origin: string = location.origin): string {
  if (typeof target !== 'string' || !target.startsWith('/') || target.startsWith('//')) return '/';
  if (!URL.canParse(target, origin)) return '/';
  const url = new URL(target, origin);
  if (url.origin !== origin || url.pathname.startsWith('//')) return '/';
  // Avoid a loop back to the sign-in page.
  if (url.pathname === '/login') return '/';
  return url.pathname + url.search + url.hash;
}
