import { ApiError } from '@hengfu/client/api-error.ts';
import { sessionEndpoints } from '@hengfu/contract/session';
import { clearCookies } from '@hengfu/ui/browser/cookies.ts';
import { toast } from '@hengfu/ui/feedback/toast.ts';
import { translate } from '@hengfu/ui/language/i18n.ts';
import { call } from '../../platform/http.ts';
import { resetSession } from '../../platform/session-store.ts';
import { forgetOpened } from '../search/forget-opened.ts';
import { forgetTags } from '../tags/tags.ts';

/** Ends the session and removes its traces from the browser. The caller opens the sign-in page. */
export async function endSession(): Promise<void> {
  await signOutOnServer();
  forgetTags();
  resetSession();
  forgetOpened();
  clearCookies();
  toast('success', translate('session.signedOut'));
}

/** Signs out on the server. A 401 counts as success: the session has already ended. */
async function signOutOnServer(): Promise<void> {
  try {
    await call(sessionEndpoints.logout, { throwsIfSignedOut: true });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
  }
}
