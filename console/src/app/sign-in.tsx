import { LanguageProvider } from '@hengfu/ui/language/i18n.ts';
import { StrictMode } from 'react';
import type { Root } from 'react-dom/client';
import { LoginPage } from '../features/session/login-page.tsx';
import { safeRedirect } from '../platform/redirect.ts';
import { whenIdle } from '../platform/when-idle.ts';

/**
 * Shows the sign-in form alone, for a first visit without a session. The console's code is fetched while the
 * user fills in the form, and takes over the page after sign-in.
 */
export function showSignIn(root: Root): void {
  const enter = async () => {
    const target = safeRedirect(new URLSearchParams(location.search).get('redirect'));
    history.replaceState(null, '', target);
    try {
      const { showConsole } = await import('./console.tsx');
      await showConsole(root);
    } catch {
      // The console's code could not be fetched (a release replaced it); a full page load gets the new one.
      location.reload();
    }
  };
  root.render(
    <StrictMode>
      <LanguageProvider>
        <LoginPage onSignedIn={enter} />
      </LanguageProvider>
    </StrictMode>,
  );
  whenIdle(() => void import('./console.tsx').catch(() => undefined));
}
