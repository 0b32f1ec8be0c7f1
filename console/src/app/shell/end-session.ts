import { sessionEndpoints } from '@hengfu/contract/session';
import { ApiError } from '../../platform/api-error.ts';
import { clearCookies } from '../../platform/cookies.ts';
import { call } from '../../platform/http.ts';
import { currentLanguage, translate } from '../../platform/i18n.ts';
import { resetSession } from '../../platform/session-store.ts';
import { writeStored } from '../../platform/stored.ts';
import { toast } from '../../platform/toast.ts';
import { forgetOpened } from '../search/forget-opened.ts';
import { forgetTags } from '../tags/tags.ts';

/** Ends the session and removes its traces from the browser. The caller opens the sign-in page. */
export async function endSession(): Promise<void> {
  await signOutOnServer();
  forgetTags();
  resetSession();
  forgetOpened();
  // The language outlives the session in local storage.
  writeStored('language', currentLanguage());
  clearCookies();
  toast('success', translate('session.signedOut'));
}

/** Signs out on the server. A 401 counts as success: the session has already ended. */
async function signOutOnServer(): Promise<void> {
  try {
    await call(sessionEndpoints.logout, { isSigningOut: true });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
  }
}
