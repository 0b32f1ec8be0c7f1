import { useLayoutEffect } from 'react';

/** Keeps focus and reading inside a panel beside the page while it is open, and gives the focus back to where it came from. */
export function useModal(panel: { readonly current: HTMLElement | null }): void {
  useLayoutEffect(() => {
    const opener = document.activeElement;
    // A browser's own modal dialog (the drawer of a phone) would lie above and keep this one from being answered.
    for (const dialog of document.querySelectorAll<HTMLDialogElement>('dialog[open]')) dialog.close();
    // Whatever was inert before stays so: panels may stand above each other.
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
