import './in-parts/react.ts';
import { createRoot } from 'react-dom/client';
import '@hengfu/ui/theme/tokens.css';
import '@hengfu/ui/theme/base.css';
import { chosenLanguage, startI18n } from '@hengfu/ui/language/i18n.ts';
import { startTheme } from '@hengfu/ui/theme/theme-dom.ts';
import { boot } from '../platform/boot.ts';
import { showSignIn } from './sign-in.tsx';
import { goToSignInFirst } from './start.ts';

/** Shows the sign-in page (no router, no schemas) or the console. Phrases and code load in parallel. */
async function start(element: HTMLElement): Promise<void> {
  startTheme();
  const root = createRoot(element);
  const phrasesLoaded = startI18n(chosenLanguage(boot?.language));
  if (goToSignInFirst()) {
    await phrasesLoaded;
    showSignIn(root);
  } else {
    const [{ showConsole }] = await Promise.all([import('./console.tsx'), phrasesLoaded]);
    await showConsole(root);
  }
}

const element = document.getElementById('root');
// No top-level await: modules in the same chunk would wait for it to finish.
if (element) void start(element);
