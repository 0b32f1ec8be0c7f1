import { boot } from '../platform/boot.ts';
import { stringifyPlainSearch } from '../platform/search.ts';
import { isMarkedSignedIn, resetSession, setSessionUser } from '../platform/session-store.ts';
import { isOpenPath } from './open-paths.ts';

/**
 * Takes over what the server said with the page about who is signed in. Where nobody is, puts the sign-in page's address
 * in place, with the wanted one to come back to, and returns true. Later on the router's guard does the same.
 */
export function goToSignInFirst(): boolean {
  if (boot?.user) setSessionUser(boot.user);
  else if (boot?.user === null) resetSession();
  const { pathname, search } = location;
  if (boot?.user || isMarkedSignedIn() || isOpenPath(pathname)) return false;
  if (pathname !== '/login') {
    const wanted = pathname === '/' ? {} : { redirect: pathname + search };
    history.replaceState(null, '', `/login${stringifyPlainSearch(wanted)}`);
  }
  return true;
}
