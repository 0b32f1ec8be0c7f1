import type { AlertOptions } from './feedback-types.ts';

const open = new Set<string>();

/** Shows an alert; antd is loaded when the first one shows. */
export function showAlert(options: AlertOptions): void {
  if (open.has(options.kind)) return;
  open.add(options.kind);
  const close = () => {
    open.delete(options.kind);
    options.onClose?.();
  };
  import('./feedback.tsx')
    .then((feedback) => feedback.openAlert({ ...options, onClose: close }))
    // Without the dialog's code (server gone) what follows the dialog must happen all the same.
    .catch(close);
}
