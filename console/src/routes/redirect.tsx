import { createRoute, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { safeRedirect } from '../platform/redirect.ts';
import { shellRoute } from './root.tsx';

/**
 * `/redirect/<path>?<query>` goes on to that path. It really shows for a moment (nothing), so the page behind the path
 * is taken down and mounted anew: that is how a page is refreshed in place.
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
