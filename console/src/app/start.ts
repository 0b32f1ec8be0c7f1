import { stringifyPlainSearch } from '@hengfu/ui/browser/search.ts';
import { boot } from '../platform/boot.ts';
import { isMarkedSignedIn, loseSession, markSignedIn, setSessionUser } from '../platform/session-store.ts';
import { isOpenPath } from './open-paths.ts';

/**
 * Takes the signed-in user from the page's boot data. Without a session, replaces the address with the
 * sign-in page's, keeping the original as `redirect`, and returns true. The router's guard does the same
 * later on.
 */
export function goToSignInFirst(): boolean {
  if (boot?.user) setSessionUser(boot.user);
  // The guard leads to the choice.
  else if (boot?.isMerchantDue) markSignedIn();
  else if (boot?.user === null && isMarkedSignedIn()) loseSession();
  const { pathname, search } = location;
  if (boot?.user || isMarkedSignedIn() || isOpenPath(pathname)) return false;
  if (pathname !== '/login') {
    const loginSearch = pathname === '/' ? {} : { redirect: pathname + search };
    history.replaceState(null, '', `/login${stringifyPlainSearch(loginSearch)}`);
  }
  return true;
}
