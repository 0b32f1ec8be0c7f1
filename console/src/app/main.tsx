import './in-parts/react.ts';
import { createRoot } from 'react-dom/client';
import '../platform/tokens.css';
import '../platform/base.css';
import { boot } from '../platform/boot.ts';
import { chosenLanguage, startI18n } from '../platform/i18n.ts';
import { startTheme } from '../platform/theme-dom.ts';
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
