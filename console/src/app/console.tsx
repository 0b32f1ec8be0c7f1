import './in-parts/frame.ts';
import { onDemand } from '@hengfu/ui/browser/on-demand.tsx';
import { watchPreloadErrors } from '@hengfu/ui/browser/reload-once.ts';
import { formatAmountsIn } from '@hengfu/ui/language/format.ts';
import { LanguageProvider } from '@hengfu/ui/language/i18n.ts';
import { setAmountFormat } from '@hengfu/ui/language/message-text.ts';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, startTransition } from 'react';
import type { Root } from 'react-dom/client';
import { beginFirstPage, endFirstPage } from '../platform/render-slices.ts';
import { useSwitched } from '../platform/switched-away.ts';
import { whenSettledAfter } from '../platform/when-settled.ts';
import { router } from './router.ts';

const progressAfterMs = 1000;

/** Shows the console at the current address. The previous screen stays until the first page is ready. */
export async function showConsole(root: Root): Promise<void> {
  setAmountFormat(formatAmountsIn);
  watchPreloadErrors(() => router.state.status === 'pending');
  await router.load();
  beginFirstPage();
  // A transition renders in slices, so a slow machine can handle clicks and keys in between.
  startTransition(() =>
    root.render(
      <StrictMode>
        <LanguageProvider>
          <Pages />
        </LanguageProvider>
      </StrictMode>,
    ),
  );
  // Only later navigations need the progress bar, so the first page's own requests go first.
  whenSettledAfter(progressAfterMs, () => {
    endFirstPage();
    void fetchProgress();
  });
}

const SwitchedAway = onDemand(() =>
  import('../features/workplaces/switched-away.tsx').then((module) => module.SwitchedAway),
);

/** The page at the current address, unless its person has switched to another merchant in another tab. */
function Pages() {
  return useSwitched(({ isSwitched }) => isSwitched) ? <SwitchedAway /> : <RouterProvider router={router} />;
}

async function fetchProgress(): Promise<void> {
  const { startProgress } = await import('./progress.ts').catch(() => ({ startProgress: () => {} }));
  startProgress();
}
