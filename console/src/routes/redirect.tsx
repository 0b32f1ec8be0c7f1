import { createRoute, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { safeRedirect } from '../platform/redirect.ts';
import { shellRoute } from './root.tsx';

/**
 * `/redirect/<path>?<query>` refreshes a page in place: it renders nothing for a moment, so that the page at
 * the path is unmounted, and then navigates back to it.
 */
export const redirectRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/redirect/$',
  component: Redirect,
});

function Redirect() {
  const { _splat = '' } = redirectRoute.useParams();
  const navigate = useNavigate();
  useEffect(() => {
    void navigate({ href: safeRedirect(`/${_splat}${location.search}`), replace: true });
  }, [navigate, _splat]);
  return null;
}
