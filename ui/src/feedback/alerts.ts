import type { AlertOptions } from './feedback-types.ts';

const open = new Set<string>();

/** Shows an alert, unless one of its kind is open. Its code is loaded with the first one. */
export function showAlert(options: AlertOptions): void {
  if (open.has(options.kind)) return;
  open.add(options.kind);
  const close = () => {
    open.delete(options.kind);
    options.onClose?.();
  };
  import('./feedback.tsx')
    .then((feedback) => feedback.openAlert({ ...options, onClose: close }))
    // If the dialog's code can't be loaded (server unreachable), its follow-up must still run.
    .catch(close);
}
