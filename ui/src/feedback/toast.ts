import type { ToastType } from './feedback-types.ts';

/**
 * Shows a short message at the top for 3 s, only one per `key` at a time: by default, one of each text. Its code is loaded with the
 * first one.
 */
export function toast(type: ToastType, text: string, key?: string): void {
  import('./feedback.tsx')
    .then((feedback) => feedback.showToast(type, text, key))
    // If the toast's code can't be loaded (server unreachable), the message is lost; the screen shows the
    // state too.
    .catch(() => undefined);
}
