import { StrictMode } from 'react';
import type { Root } from 'react-dom/client';
import { LoginPage } from '../features/session/login-page.tsx';
import { safeRedirect } from '../platform/redirect.ts';
import { whenIdle } from '../platform/when-idle.ts';

/**
 * The first page of somebody who is not signed in: the sign-in form alone, without the console around it, which is
 * fetched while the form is being filled in and takes the page over afterwards.
 */
export function showSignIn(root: Root): void {
  const enter = async () => {
    const target = safeRedirect(new URLSearchParams(location.search).get('redirect'));
    history.replaceState(null, '', target);
    try {
      const { showConsole } = await import('./console.tsx');
      await showConsole(root);
    } catch {
      // The console's code could not be fetched (a release replaced it): its own page brings it.
      location.reload();
    }
  };
  root.render(
    <StrictMode>
      <LoginPage onSignedIn={enter} />
    </StrictMode>,
  );
  whenIdle(() => void import('./console.tsx').catch(() => undefined));
}
