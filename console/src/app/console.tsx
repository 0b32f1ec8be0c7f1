import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import type { Root } from 'react-dom/client';
import { watchPreloadErrors } from '../platform/reload-once.ts';
import { whenIdle } from '../platform/when-idle.ts';
import { router } from './router.ts';

const progressAfterMs = 1000;

/** Shows the console at the present address; what was on screen stays until its first page is there. */
export async function showConsole(root: Root): Promise<void> {
  watchPreloadErrors(() => router.state.status === 'pending');
  await router.load();
  root.render(
    <StrictMode>
      <RouterProvider router={router} />
    </StrictMode>,
  );
  // The progress bar is for the navigations that follow: first the page gets all that it asks for.
  setTimeout(() => whenIdle(() => void fetchProgress()), progressAfterMs);
}

async function fetchProgress(): Promise<void> {
  const { startProgress } = await import('./progress.ts').catch(() => ({ startProgress: () => {} }));
  startProgress();
}
