import type { ToastType } from './feedback-types.ts';

/** A short message at the top for 3 s. One of a `key` at a time; antd is loaded when the first one shows. */
export function toast(type: ToastType, text: string, key?: string): void {
  import('./feedback.tsx')
    .then((feedback) => feedback.showToast(type, text, key))
    // Without the toast's code (server gone) the words are lost; what they speak of is on the screen as well.
    .catch(() => undefined);
}
