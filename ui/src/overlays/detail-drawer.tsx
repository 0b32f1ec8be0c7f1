import { onDemand } from '../browser/on-demand.tsx';

/** The modal side panel with a row's detail. */
export const DetailDrawer = onDemand(async () => (await import('./overlays.ts')).DetailDrawerPanel);
