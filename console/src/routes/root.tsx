import { createRootRouteWithContext, createRoute } from '@tanstack/react-router';

/** Who may see what: decided by the app, which knows the menu and the session; routes only ask. */
export interface Guards {
  /** Throws a redirect unless the signed-in user may see the address. `isPreload`: nobody goes there yet, say nothing. */
  enter(location: { href: string; pathname: string }, isPreload: boolean): Promise<void>;
  /** Throws a redirect where somebody is signed in already. */
  enterLogin(): Promise<void>;
}

export const rootRoute = createRootRouteWithContext<{ guards: Guards }>()();

/**
 * Parent of every page with sidebar and top bar. The app gives it its frame (`shellRoute.update` in app/router.ts).
 */
export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  beforeLoad: ({ context, location, preload }) => context.guards.enter(location, preload),
});
