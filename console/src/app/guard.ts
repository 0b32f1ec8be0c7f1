import { ApiError } from '@hengfu/client/api-error.ts';
import { type CurrentUser, sessionEndpoints } from '@hengfu/contract/session';
import { toast } from '@hengfu/ui/feedback/toast.ts';
import { followProfile, translate } from '@hengfu/ui/language/i18n.ts';
import { redirect } from '@tanstack/react-router';
import { call } from '../platform/http.ts';
import {
  hasShownOthers,
  isMarkedSignedIn,
  loseSession,
  sessionUser,
  setSessionUser,
} from '../platform/session-store.ts';
import type { Guards } from '../routes/root.tsx';
import { menu } from './menu.ts';
import { homeOf, isLiveOnly, isPermitted, placeOf } from './menu-rules.ts';
import { isOpenPath } from './open-paths.ts';

/** Users who are required to have a second factor are sent here until they have bound one. */
const bindingPath = '/authentication';
/** Users who work for several merchants choose one here after sign-in. */
const choicePath = '/workplace';

/** The navigation guard (shell rules, "Guard"). */
export const guards: Guards = {
  async enter({ href, pathname }, isPreload) {
    const user = await ensureUser();
    if (user === 'choosing') throw redirect({ to: choicePath, search: { redirect: href } });
    if (!user) {
      if (isOpenPath(pathname)) return;
      throw redirect({ to: '/login', search: { redirect: href } });
    }
    const isBinding = pathname === bindingPath;
    if (user.twoFactor === 'required' && !isBinding)
      throw redirect({ to: bindingPath, search: { redirect: href } });
    if (user.twoFactor !== 'required' && isBinding) throw redirect({ to: '/', replace: true });
    const place = placeOf(menu, pathname);
    if (!place || isPermitted(place.page, user)) return;
    // Where everybody is led first, although not everybody has a dashboard.
    if (place.page.path === '/dashboard') throw redirect({ to: homeOf(menu, user), replace: true });
    // No administrator could give the permission.
    if (isLiveOnly(place.page, user)) throw redirect({ to: '/403', search: { mode: 'live' }, replace: true });
    if (!isPreload) toast('warning', translate('shell.notPermitted'), 'notPermitted');
    throw redirect({ to: '/403', replace: true });
  },
  async enterLogin() {
    const user = await ensureUser();
    if (user === 'choosing') throw redirect({ to: choicePath, replace: true });
    if (user) throw redirect({ to: '/', replace: true });
  },
  async enterChoice() {
    const user = await ensureUser();
    if (user === 'choosing' || user?.hasOtherMerchants) return;
    throw redirect({ to: user ? '/' : '/login', replace: true });
  },
};

/**
 * Returns the signed-in user, or null; `choosing` if the user has to choose a merchant first. Loads the user if only the browser's
 * flag says there is a session.
 */
async function ensureUser(): Promise<CurrentUser | 'choosing' | null> {
  const known = sessionUser();
  if (known || !isMarkedSignedIn()) return known;
  try {
    const { data } = await call(sessionEndpoints.user);
    // The page keeps data of somebody else, or of another merchant, in memory.
    if (hasShownOthers(data)) return await loadAnew();
    setSessionUser(data);
    // If the phrases fail to load, the page keeps its current language.
    await followProfile(data.language).catch(() => undefined);
    return data;
  } catch (error) {
    // An unreachable server does not mean signed out: the error page explains, and offers to retry.
    if (error instanceof ApiError && error.code === 'merchant_choice_required') return 'choosing';
    if (error instanceof ApiError && (error.isOffline || error.status >= 500)) throw error;
    loseSession();
    toast('error', translate('shell.verificationFailed'), 'verificationFailed');
    return null;
  }
}

/** Loads the page anew; the navigation in progress never ends. */
function loadAnew(): Promise<never> {
  location.assign('/');
  return new Promise(() => undefined);
}
