/** A dialog with one button. */
export interface AlertOptions {
  /** One alert of a kind at a time: further ones are dropped while it is open. */
  kind: string;
  text: string;
  type: 'error' | 'warning' | 'info';
  /** "Got it" where not given. */
  buttonText?: string;
  onClose?: () => void;
}

export type ToastType = 'success' | 'info' | 'warning' | 'error';
