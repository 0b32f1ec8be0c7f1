import type { ui as en } from '../en/ui.ts';
import type { Translation } from '../phrases.ts';

export const ui: Translation<typeof en> = {};
