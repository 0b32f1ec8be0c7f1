import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { CashierPage } from '../features/cashier/cashier-page.tsx';
import {
  CashierI18nProvider,
  firstLanguage,
  languageFor,
  loadPhrases,
} from '../features/cashier/language.tsx';
import '../features/cashier/cashier.css';
import '../features/cashier/cashier-summary.css';
import '../features/cashier/cashier-actions.css';
import '../features/cashier/cashier-layout.css';

const defaultTitle = '衡付 Hengfu';

/** Reads the data that the server embeds in the page. Without it (a dev server) the defaults apply. */
function readBoot(): { title?: unknown; language?: unknown } {
  try {
    const boot: unknown = JSON.parse(document.getElementById('boot')?.textContent ?? '');
    return typeof boot === 'object' && boot !== null ? boot : {};
  } catch {
    return {};
  }
}

/** Shows the order whose token is in the address: /pay/<token>. */
async function start(root: HTMLElement): Promise<void> {
  const boot = readBoot();
  const title = typeof boot.title === 'string' && boot.title !== '' ? boot.title : defaultTitle;
  const proposed = typeof boot.language === 'string' ? languageFor(boot.language) : undefined;
  const language = firstLanguage(proposed ?? 'zh-cn');
  const token = location.pathname.split('/')[2] ?? '';
  const phrases = await loadPhrases(language);
  createRoot(root).render(
    <StrictMode>
      <CashierI18nProvider first={{ language, phrases }}>
        <CashierPage token={token} title={title} />
      </CashierI18nProvider>
    </StrictMode>,
  );
}

const root = document.getElementById('root');
if (root) await start(root);
