import { createRoute, useNavigate } from '@tanstack/react-router';
import { LoginPage } from '../features/session/login-page.tsx';
import { safeRedirect } from '../platform/redirect.ts';
import { rootRoute } from './root.tsx';

export const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login',
  /** `redirect`: the address to return to; validated where it is used. */
  validateSearch: (search: Record<string, unknown>): { redirect?: string } =>
    typeof search.redirect === 'string' ? { redirect: search.redirect } : {},
  beforeLoad: ({ context }) => context.guards.enterLogin(),
  component: Login,
});

/** The sign-in page after a sign-out. On a first visit it renders without the router (app/sign-in.tsx). */
function Login() {
  const { redirect } = loginRoute.useSearch();
  const navigate = useNavigate();
  return <LoginPage onSignedIn={() => navigate({ href: safeRedirect(redirect), replace: true })} />;
}
