import './in-parts/frame.ts';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, startTransition } from 'react';
import type { Root } from 'react-dom/client';
import { watchPreloadErrors } from '../platform/reload-once.ts';
import { whenIdleAfter } from '../platform/when-idle.ts';
import { router } from './router.ts';

const progressAfterMs = 1000;

/** Shows the console at the present address; what was on screen stays until its first page is there. */
export async function showConsole(root: Root): Promise<void> {
  watchPreloadErrors(() => router.state.status === 'pending');
  await router.load();
  // As a transition it is rendered in slices: a slow machine hears clicks and keys in between.
  startTransition(() =>
    root.render(
      <StrictMode>
        <RouterProvider router={router} />
      </StrictMode>,
    ),
  );
  // The progress bar is for the navigations that follow: first the page gets all that it asks for.
  whenIdleAfter(progressAfterMs, () => void fetchProgress());
}

async function fetchProgress(): Promise<void> {
  const { startProgress } = await import('./progress.ts').catch(() => ({ startProgress: () => {} }));
  startProgress();
}
