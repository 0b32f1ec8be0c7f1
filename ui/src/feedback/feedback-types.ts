/** A dialog with one button. */
export interface AlertOptions {
  /** Only one alert per kind is open at a time; further ones are dropped. */
  kind: string;
  text: string;
  type: 'error' | 'warning' | 'info';
  /** Default: "Got it". */
  buttonText?: string;
  onClose?: () => void;
}

export type ToastType = 'success' | 'info' | 'warning' | 'error';
