import { ApiError } from '@hengfu/client/api-error.ts';
import { toast } from '@hengfu/ui/feedback/toast.ts';
import { translate } from '@hengfu/ui/language/i18n.ts';
import { messageText } from '@hengfu/ui/language/message-text.ts';

/** Reacts to a failed action: says why, unless the session has ended, which the sign-in page says. */
export function reactToFailure(error: unknown): void {
  if (!(error instanceof ApiError)) reportError(error);
  else if (error.status === 401) return;
  toast('error', messageOf(error));
}

/** Puts the failure of a call into words. */
export function messageOf(error: unknown): string {
  if (!(error instanceof ApiError)) return translate('shell.failure.system');
  if (error.status === 419) return translate('shell.failure.pageExpired');
  if (error.isOffline) return translate('shell.failure.offline');
  return messageText(error.message) || translate('shell.failure.system');
}
