import { createRootRouteWithContext, createRoute } from '@tanstack/react-router';

/** Access checks for the routes, implemented by the app, which knows the menu and the session. */
export interface Guards {
  /**
   * Throws a redirect unless the user may open the address. `isPreload`: only a prefetch, so show no message.
   */
  enter(location: { href: string; pathname: string }, isPreload: boolean): Promise<void>;
  /** Throws a redirect if a user is already signed in. */
  enterLogin(): Promise<void>;
  /** Throws a redirect unless the user has signed in and works for several merchants. */
  enterChoice(): Promise<void>;
}

/** Provided by the app to the routes. */
interface RouteContext {
  guards: Guards;
  /** Ends the session and removes its traces from the browser. */
  endSession: () => Promise<void>;
}

export const rootRoute = createRootRouteWithContext<RouteContext>()();

/**
 * Parent route of every page with sidebar and top bar. The app sets its component (`shellRoute.update` in
 * app/router.ts).
 */
export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  beforeLoad: ({ context, location, preload }) => context.guards.enter(location, preload),
});
