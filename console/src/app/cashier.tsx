import { type ComponentType, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { CashierPage, type PayerPageProps } from '../features/cashier/cashier-page.tsx';
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
function readBoot(): { title?: unknown; language?: unknown; reply?: unknown } {
  try {
    const boot: unknown = JSON.parse(document.getElementById('boot')?.textContent ?? '');
    return typeof boot === 'object' && boot !== null ? boot : {};
  } catch {
    return {};
  }
}

/** The pages of payers, by the first parts of their address. Most payers see the checkout page alone, so the others load separately. */
const pages: readonly { path: string; load: () => Promise<ComponentType<PayerPageProps>> }[] = [
  {
    path: '/pay/link/',
    load: async () => (await import('../features/cashier/link/pay-link-page.tsx')).PayLinkPage,
  },
  {
    path: '/receipt/',
    load: async () => (await import('../features/cashier/receipt/receipt-page.tsx')).ReceiptPage,
  },
];

/** Shows the page of the address: /pay/<token>, /pay/link/<token>, /receipt/<token>. */
async function start(root: HTMLElement): Promise<void> {
  const boot = readBoot();
  const title = typeof boot.title === 'string' && boot.title !== '' ? boot.title : defaultTitle;
  const proposed = typeof boot.language === 'string' ? languageFor(boot.language) : undefined;
  const language = firstLanguage(proposed ?? 'zh-cn');
  const load = pages.find(({ path }) => location.pathname.startsWith(path))?.load;
  const token = location.pathname.slice(location.pathname.lastIndexOf('/') + 1);
  const [phrases, Page] = await Promise.all([loadPhrases(language), load?.() ?? CashierPage]);
  createRoot(root).render(
    <StrictMode>
      <CashierI18nProvider first={{ language, phrases }}>
        <Page token={token} title={title} reply={boot.reply} />
      </CashierI18nProvider>
    </StrictMode>,
  );
}

const root = document.getElementById('root');
if (root) await start(root);
