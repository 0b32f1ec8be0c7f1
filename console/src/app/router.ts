import { parsePlainSearch, stringifyPlainSearch } from '@hengfu/ui/browser/search.ts';
import { createRouter } from '@tanstack/react-router';
import { setNavigation } from '../platform/navigation.ts';
import { loseSession } from '../platform/session-store.ts';
import { CrashPage, NotFoundPage } from '../routes/plain/error-page.tsx';
import { shellRoute } from '../routes/root.tsx';
import { routeTree } from '../routes/tree.ts';
import { guards } from './guard.ts';
import { Pending } from './pending.tsx';
import { ShellFrame } from './shell-frame.tsx';

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

shellRoute.update({ component: ShellFrame });

/** The console's router: search parameters are plain text, and hovering over a link prefetches its page. */
export const router = createRouter({
  routeTree,
  context: {
    guards,
    endSession: async () => (await import('./shell/end-session.ts')).endSession(),
  },
  parseSearch: parsePlainSearch,
  stringifySearch: stringifyPlainSearch,
  defaultPreload: 'intent',
  // TanStack Query decides how long data is fresh.
  defaultPreloadStaleTime: 0,
  // Keep the old page for waits shorter than this; show a spinner for longer ones.
  defaultPendingMs: 300,
  defaultPendingMinMs: 0,
  defaultPendingComponent: Pending,
  defaultErrorComponent: CrashPage,
  defaultNotFoundComponent: NotFoundPage,
});

setNavigation({
  toLogin() {
    loseSession();
    const { href, pathname } = router.latestLocation;
    if (pathname !== '/login') void router.navigate({ to: '/login', search: { redirect: href } });
  },
  toForbidden: () => void router.navigate({ to: '/403' }),
});
