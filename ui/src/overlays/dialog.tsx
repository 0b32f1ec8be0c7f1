import { onDemand } from '../browser/on-demand.tsx';

/** A modal dialog in the middle of the page. Escape closes it. */
export const Dialog = onDemand(async () => (await import('./overlays.ts')).DialogPanel);
