import { ApiError } from '@hengfu/client/api-error.ts';
import { sessionEndpoints } from '@hengfu/contract/session';
import { workplaceEndpoints } from '@hengfu/contract/workplaces';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Dialog } from '@hengfu/ui/overlays/dialog.tsx';
import { useId } from 'react';
import { call } from '../../platform/http.ts';
import { goLogin } from '../../platform/navigation.ts';
import { loseSession, setSessionUser, useUser } from '../../platform/session-store.ts';
import { LoginForm } from './login-form.tsx';
import styles from './sign-in-again.module.css';

/**
 * Lets the user sign in again in place after the session has ended under an open page, so that nothing is
 * lost. The alternative is to leave for the sign-in page.
 */
export function SignInAgain({ answer }: { answer: (isSignedIn: boolean) => void }) {
  const t = useT();
  const textId = useId();
  const { email, id, merchant } = useUser();
  // Without asking to sign in again: this dialog is the question.
  const readUser = () => call(sessionEndpoints.user, { throwsIfSignedOut: true });
  const resume = async () => {
    const { data } = await readUser().catch(async (error: unknown) => {
      if (!(error instanceof ApiError) || error.code !== 'merchant_choice_required') throw error;
      // The page goes on for the merchant that it was rendered for.
      const chosen = { body: { merchant: merchant.code }, throwsIfSignedOut: true };
      await call(workplaceEndpoints.choose, chosen);
      return readUser();
    });
    // A different user must not continue with the previous user's data.
    if (data.id !== id) return location.reload();
    setSessionUser(data);
    answer(true);
  };
  const leave = () => {
    loseSession();
    answer(false);
    goLogin();
  };
  return (
    <Dialog title={t('shell.failure.sessionEnded')} describedBy={textId} onClose={leave}>
      <div className={styles.parts}>
        <p id={textId}>{t('session.againText')}</p>
        <LoginForm onSignedIn={resume} knownEmail={email} />
        <Button onClick={leave}>{t('session.leave')}</Button>
      </div>
    </Dialog>
  );
}
