import { DirectionProvider } from '@base-ui/react/direction-provider';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { type ReactElement, type ReactNode, useState } from 'react';
import { parsePlainSearch, stringifyPlainSearch } from '../src/browser/search.ts';
import { LanguageProvider } from '../src/language/i18n.ts';
import { type UiSettings, UiSettingsContext } from '../src/language/ui-settings.ts';

const settings: UiSettings = { zone: 'Asia/Shanghai', currency: 'CNY' };

/** Provides what an app provides: the user's settings, a query client, and an address of the scene's own. */
export function Frame({ children }: { children: ReactNode }): ReactElement {
  const [client] = useState(() => new QueryClient({ defaultOptions: { queries: { retry: false } } }));
  const [router] = useState(() =>
    createRouter({
      routeTree: createRootRoute({ component: () => children }),
      history: createMemoryHistory({ initialEntries: ['/'] }),
      parseSearch: parsePlainSearch,
      stringifySearch: stringifyPlainSearch,
    }),
  );
  return (
    <DirectionProvider direction={document.documentElement.dir === 'rtl' ? 'rtl' : 'ltr'}>
      <QueryClientProvider client={client}>
        <UiSettingsContext value={settings}>
          <LanguageProvider>
            <RouterProvider router={router} />
          </LanguageProvider>
        </UiSettingsContext>
      </QueryClientProvider>
    </DirectionProvider>
  );
}
