/** React's scheduler, which brings no types. */
declare module 'scheduler' {
  /** Sets how often a second rendering makes way for other work; 0 restores the default. */
  export function unstable_forceFrameRate(perSecond: number): void;
}
