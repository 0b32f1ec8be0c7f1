import './in-parts/react.ts';
import { createRoot } from 'react-dom/client';
import '../platform/tokens.css';
import '../platform/base.css';
import { boot } from '../platform/boot.ts';
import { chosenLanguage, startI18n } from '../platform/i18n.ts';
import { startTheme } from '../platform/theme-dom.ts';
import { showSignIn } from './sign-in.tsx';
import { goToSignInFirst } from './start.ts';

/** Shows the sign-in page, which needs neither router nor schemas, or the console. Words and code load side by side. */
async function start(element: HTMLElement): Promise<void> {
  startTheme();
  const root = createRoot(element);
  const words = startI18n(chosenLanguage(boot?.language));
  if (goToSignInFirst()) {
    await words;
    showSignIn(root);
  } else {
    const [{ showConsole }] = await Promise.all([import('./console.tsx'), words]);
    await showConsole(root);
  }
}

const element = document.getElementById('root');
// Not awaited at the top of the module: what is imported here shares a chunk with it, and would wait for its end.
if (element) void start(element);
