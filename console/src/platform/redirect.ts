/**
 * Where to go after sign-in: a path of this site with its query, or '/' for anything else. Browsers read `//host`,
 * `/\host` and control characters in ways that lead away, so the parsed origin decides, not the text's look.
 */
export function safeRedirect(target: unknown, origin: string = location.origin): string {
  if (typeof target !== 'string' || !target.startsWith('/') || target.startsWith('//')) return '/';
  if (!URL.canParse(target, origin)) return '/';
  const url = new URL(target, origin);
  if (url.origin !== origin || url.pathname.startsWith('//')) return '/';
  // Back to the sign-in page after signing in would be a circle.
  if (url.pathname === '/login') return '/';
  return url.pathname + url.search + url.hash;
}
