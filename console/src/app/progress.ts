import { BProgress } from '@bprogress/core';
import './progress.css';
import { router } from './router.ts';

/** Shows the progress bar at the top on every navigation (specification, point 9: figures). */
export function startProgress(): void {
  BProgress.configure({ minimum: 0.08, speed: 200, trickleSpeed: 800, showSpinner: false });
  // In the frame after: each step of the bar lays out the page, which would come on top of the click's own work.
  router.subscribe('onBeforeNavigate', () => requestAnimationFrame(() => BProgress.start()));
  router.subscribe('onResolved', () => requestAnimationFrame(() => BProgress.done()));
}
