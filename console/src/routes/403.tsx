import { createRoute } from '@tanstack/react-router';
import { useUser } from '../platform/session-store.ts';
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
    const { merchant } = useUser();
    return mode === 'live' && merchant.mode === 'test' ? <LiveOnlyPage /> : <ForbiddenPage />;
  },
});
