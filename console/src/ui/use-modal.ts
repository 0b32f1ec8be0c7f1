import { useLayoutEffect } from 'react';

/**
 * Makes everything outside a panel inert while it is mounted, and returns focus to the previous element
 * afterwards.
 */
export function useModal(panel: { readonly current: HTMLElement | null }): void {
  useLayoutEffect(() => {
    const opener = document.activeElement;
    // A native modal dialog (the drawer on a phone) would cover this one and block it.
    for (const dialog of document.querySelectorAll<HTMLDialogElement>('dialog[open]')) dialog.close();
    // Elements that were already inert stay so, because panels may be stacked.
    const behind = [...document.body.children].filter(
      (element): element is HTMLElement =>
        element instanceof HTMLElement && !element.inert && !element.contains(panel.current),
    );
    for (const element of behind) element.inert = true;
    (
      panel.current?.querySelector<HTMLElement>('[autofocus], input:not([type=hidden])') ?? panel.current
    )?.focus();
    return () => {
      for (const element of behind) element.inert = false;
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true });
    };
  }, [panel]);
}
