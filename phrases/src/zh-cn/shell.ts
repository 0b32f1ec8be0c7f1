import type { shell as en } from '../en/shell.ts';
import type { Translation } from '../phrases.ts';

export const shell: Translation<typeof en> = {};
