import { ApiError } from '@hengfu/client/api-error.ts';
import { showAlert } from '@hengfu/ui/feedback/alerts.ts';
import { toast } from '@hengfu/ui/feedback/toast.ts';
import { translate } from '@hengfu/ui/language/i18n.ts';
import { messageText } from '@hengfu/ui/language/message-text.ts';
import { goForbidden, goLogin } from './navigation.ts';
import { loseSession, sessionUser } from './session-store.ts';

/**
 * The errors that a screen shows inline, so that they raise no alert: all (`true`), or the listed error codes
 * (a form lists `validation_failed` to show its fields' errors). An ended session always raises an alert.
 */
export type ShownInPlace = boolean | readonly ApiError['code'][];

/** Calls that the mode does not have: the alert says so, and no administrator could permit them. */
const modeCodes: readonly ApiError['code'][] = ['live_mode_only', 'test_mode_only'];

/**
 * Reacts to a failed call, in one place for the whole console (spec, point 8). Queries and mutations get here
 * through query-client.ts; code that uses `call` directly passes its errors on. `isBackground`: older data
 * stays on screen, so a toast is enough.
 */
export function reactToFailure(error: unknown, shown: ShownInPlace = false, isBackground = false): void {
  if (!(error instanceof ApiError)) {
    if (isAbort(error)) return;
    // A program error: report it in full to the browser's console and error listeners, show a short message.
    reportError(error);
    showAlert({ kind: 'failure', text: translate('shell.failure.system'), type: 'error' });
    return;
  }
  // The notice that covers the page says it.
  if (error.code === 'merchant_switched') return;
  if (error.status === 401 || error.code === 'two_factor_challenge_required') {
    askToSignIn();
  } else if (error.code === 'password_confirmation_required') {
    // The user was asked for the password, and declined.
    return;
  } else if (shown === true || (shown !== false && shown.includes(error.code))) {
    return;
  } else if (error.isOffline) {
    toast('error', messageOf(error), 'offline');
  } else if (error.code === 'two_factor_required') {
    // This page still believes that there is a second factor; a full page load corrects that.
    showAlert({
      kind: 'twoFactor',
      text: messageOf(error),
      type: 'warning',
      buttonText: translate('twoFactor.bind'),
      onClose: () => location.assign('/setting/accountSecurity'),
    });
  } else if (error.code === 'merchant_choice_required') {
    // Somebody has signed in anew in another tab; a full page load asks for the merchant.
    showAlert({
      kind: 'merchantChoice',
      text: messageOf(error),
      type: 'warning',
      onClose: () => location.reload(),
    });
  } else if (error.status === 403 && !modeCodes.includes(error.code)) {
    goForbidden();
    showAlert({ kind: 'forbidden', text: messageOf(error), type: 'error' });
  } else if (isBackground && error.status >= 500) {
    toast('error', messageOf(error), 'background');
  } else {
    showAlert({ kind: 'failure', text: messageOf(error), type: 'error' });
  }
}

/** The message for a failed call: the spec's for an expired page, else the server's with amounts in the reader's language, else "System error". */
export function messageOf(error: ApiError): string {
  if (error.status === 419) return translate('shell.failure.pageExpired');
  if (error.isOffline) return translate('shell.failure.offline');
  // The message is for programs.
  if (error.code === 'idempotency_key_reused') return translate('shell.failure.madeBefore');
  return messageText(error.message) || translate('shell.failure.system');
}

/** Asks to sign in again, unless the session has already been reset. */
function askToSignIn(): void {
  if (sessionUser() === null) return;
  showAlert({
    kind: 'unauthenticated',
    text: translate('shell.failure.sessionEnded'),
    type: 'warning',
    buttonText: translate('shell.failure.signInAgain'),
    onClose: () => {
      loseSession();
      goLogin();
    },
  });
}

function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}
