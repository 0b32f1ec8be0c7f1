import { onDemand } from '@hengfu/ui/browser/on-demand.tsx';
import { passwordGate, sessionGate, useGate } from '../../platform/gates.ts';

const PasswordDialog = onDemand(() =>
  import('../../features/profile/password-dialog.tsx').then((module) => module.PasswordDialog),
);
const SignInAgain = onDemand(() =>
  import('../../features/session/sign-in-again.tsx').then((module) => module.SignInAgain),
);

/** Fetches the dialogs' code, before the server can become unreachable or a release can replace it. */
export function prefetchQuestions(): void {
  PasswordDialog.prefetch();
  SignInAgain.prefetch();
}

/** The dialogs that pending calls wait for: confirm the password, sign in again. Each loads on first use. */
export function Questions() {
  const confirm = useGate(passwordGate);
  const resume = useGate(sessionGate);
  return (
    <>
      {confirm && <PasswordDialog answer={confirm} />}
      {resume && <SignInAgain answer={resume} />}
    </>
  );
}
