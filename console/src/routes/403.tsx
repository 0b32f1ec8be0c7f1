import { createRoute } from '@tanstack/react-router';
import { useIsTestMode } from '../platform/session-store.ts';
import { ForbiddenPage, LiveOnlyPage } from './plain/error-page.tsx';
import { shellRoute } from './root.tsx';

/** The search parameter says that nobody can open the page in test mode. */
const validateSearch = ({ mode }: Record<string, unknown>): { mode?: 'live' } =>
  mode === 'live' ? { mode } : {};

export const forbiddenRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/403',
  validateSearch,
  component: function Forbidden() {
    const { mode } = forbiddenRoute.useSearch();
    // Also open to somebody who is not signed in.
    const isTest = useIsTestMode();
    return mode === 'live' && isTest ? <LiveOnlyPage /> : <ForbiddenPage />;
  },
});
