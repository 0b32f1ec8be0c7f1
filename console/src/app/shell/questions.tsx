import { lazy, Suspense } from 'react';
import { passwordGate, sessionGate, useGate } from '../../platform/gates.ts';

const PasswordDialog = lazy(() =>
  import('../../features/profile/password-dialog.tsx').then((module) => ({ default: module.PasswordDialog })),
);
const SignInAgain = lazy(() =>
  import('../../features/session/sign-in-again.tsx').then((module) => ({ default: module.SignInAgain })),
);

/** The dialogs that calls wait at; each is fetched when it is asked for. */
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
