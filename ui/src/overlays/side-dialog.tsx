import { onDemand } from '../browser/on-demand.tsx';

/** A dialog along a side of the window, open while it is mounted. */
export const SideDialog = onDemand(async () => (await import('./overlays.ts')).SideDialogPanel);
