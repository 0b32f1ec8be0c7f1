import { createRoot } from 'react-dom/client';
import '@hengfu/ui/theme/tokens.css';
import '@hengfu/ui/theme/base.css';
import { watchPreloadErrors } from '@hengfu/ui/browser/reload-once.ts';
import { formatAmountsIn } from '@hengfu/ui/language/format.ts';
import { chosenLanguage, LanguageProvider, startI18n } from '@hengfu/ui/language/i18n.ts';
import { setAmountFormat } from '@hengfu/ui/language/message-text.ts';
import { type UiSettings, UiSettingsContext } from '@hengfu/ui/language/ui-settings.ts';
import { startTheme } from '@hengfu/ui/theme/theme-dom.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { boot } from '../platform/boot.ts';
import { queryClient } from '../platform/query-client.ts';
import { router } from './router.tsx';

/** Times are those of the browser's zone; the back office has no currency of its own. */
const settings: UiSettings = {
  zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  currency: 'USDT',
};

/** Shows the back office, once the phrases of its language are there. */
async function start(element: HTMLElement): Promise<void> {
  setAmountFormat(formatAmountsIn);
  startTheme();
  watchPreloadErrors(() => router.state.status === 'pending');
  await startI18n(chosenLanguage(boot?.language));
  createRoot(element).render(
    <StrictMode>
      <LanguageProvider>
        <QueryClientProvider client={queryClient}>
          <UiSettingsContext value={settings}>
            <RouterProvider router={router} />
          </UiSettingsContext>
        </QueryClientProvider>
      </LanguageProvider>
    </StrictMode>,
  );
}

const element = document.getElementById('root');
if (element) void start(element);
