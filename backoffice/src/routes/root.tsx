import { createRootRoute } from '@tanstack/react-router';

/** Parent of every page. The app sets its component: the frame, or the sign-in page. */
export const rootRoute = createRootRoute();
