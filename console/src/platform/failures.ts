import { showAlert } from './alerts.ts';
import { ApiError } from './api-error.ts';
import { translate } from './i18n.ts';
import { goForbidden, goLogin } from './navigation.ts';
import { resetSession, sessionUser } from './session-store.ts';
import { toast } from './toast.ts';

/**
 * What a screen shows by itself and wants no alert for: everything (`true`), or the listed error codes (a form names
 * `validation_failed` to show its fields' errors). A lost session is never the screen's own business.
 */
export type ShownInPlace = boolean | readonly ApiError['code'][];

/**
 * The one place that reacts to a failed call (spec, point 8). Every query and mutation ends here through
 * query-client.ts; code that uses `call` alone passes its errors on. `isBackground`: data is on screen already and
 * stays, so a short toast is enough.
 */
export function reactToFailure(error: unknown, shown: ShownInPlace = false, isBackground = false): void {
  if (!(error instanceof ApiError)) {
    if (isAbort(error)) return;
    // A fault of the program: the browser's console and error watchers get it whole, the reader a sentence.
    reportError(error);
    showAlert({ kind: 'failure', text: translate('shell.failure.system'), type: 'error' });
    return;
  }
  if (error.status === 401 || error.code === 'two_factor_challenge_required') {
    askToSignIn();
  } else if (error.code === 'password_confirmation_required') {
    // The reader was asked, and thought better of it.
    return;
  } else if (shown === true || (shown !== false && shown.includes(error.code))) {
    return;
  } else if (error.isOffline) {
    toast('error', messageOf(error), 'offline');
  } else if (error.code === 'two_factor_required') {
    // The factor was there when the page was opened: a whole new page knows better.
    showAlert({
      kind: 'twoFactor',
      text: messageOf(error),
      type: 'warning',
      buttonText: translate('twoFactor.bind'),
      onClose: () => location.assign('/setting/accountSecurity'),
    });
  } else if (error.status === 403) {
    goForbidden();
    showAlert({ kind: 'forbidden', text: messageOf(error), type: 'error' });
  } else if (isBackground && error.status >= 500) {
    toast('error', messageOf(error), 'background');
  } else {
    showAlert({ kind: 'failure', text: messageOf(error), type: 'error' });
  }
}

/** The sentence for a failed call: the spec's for an expired page, else the server's, else "System error". */
export function messageOf(error: ApiError): string {
  if (error.status === 419) return translate('shell.failure.pageExpired');
  if (error.isOffline) return translate('shell.failure.offline');
  return error.message || translate('shell.failure.system');
}

/** Where the reader could have signed in again in place and would not, nothing is left to ask. */
function askToSignIn(): void {
  if (sessionUser() === null) return;
  showAlert({
    kind: 'unauthenticated',
    text: translate('shell.failure.sessionEnded'),
    type: 'warning',
    buttonText: translate('shell.failure.signInAgain'),
    onClose: () => {
      resetSession();
      goLogin();
    },
  });
}

function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}
