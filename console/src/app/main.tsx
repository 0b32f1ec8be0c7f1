import { createRoot } from 'react-dom/client';
import '../platform/tokens.css';
import '../platform/base.css';
import { boot } from '../platform/boot.ts';
import { chosenLanguage, startI18n } from '../platform/i18n.ts';
import { startTheme } from '../platform/theme-dom.ts';
import { goToSignInFirst } from './start.ts';

/** Shows the sign-in page, or the console. */
async function start(element: HTMLElement): Promise<void> {
  startTheme();
  // Side by side: the words, and the half that is wanted. Signing in needs neither router nor schemas.
  const half = goToSignInFirst() ? import('./sign-in.tsx') : import('./console.tsx');
  const [{ show }] = await Promise.all([half, startI18n(chosenLanguage(boot?.language))]);
  await show(createRoot(element));
}

const element = document.getElementById('root');
// Not awaited at the top of the module: what is imported here shares a chunk with it, and would wait for its end.
if (element) void start(element);
