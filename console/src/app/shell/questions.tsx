import { lazy, Suspense } from 'react';
import { passwordGate, sessionGate, useGate } from '../../platform/gates.ts';

const PasswordDialog = lazy(() =>
  import('../../features/profile/password-dialog.tsx').then((module) => ({ default: module.PasswordDialog })),
);
const SignInAgain = lazy(() =>
  import('../../features/session/sign-in-again.tsx').then((module) => ({ default: module.SignInAgain })),
);

/** The dialogs that pending calls wait for: confirm the password, sign in again. Each loads on first use. */
export function Questions() {
  const confirm = useGate(passwordGate);
  const resume = useGate(sessionGate);
  return (
    <Suspense>
      {confirm && <PasswordDialog answer={confirm} />}
      {resume && <SignInAgain answer={resume} />}
    </Suspense>
  );
}
