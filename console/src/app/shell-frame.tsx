import { Outlet, useLocation } from '@tanstack/react-router';
import { useIsSignedIn } from '../platform/session-store.ts';
import { isOpenPath } from './open-paths.ts';
import { Shell } from './shell/shell.tsx';

/** Puts sidebar and top bar around the page; an open page shown without a session gets no frame. */
export function ShellFrame() {
  const isSignedIn = useIsSignedIn();
  const isOpen = useLocation({ select: ({ pathname }) => isOpenPath(pathname) });
  if (isSignedIn || !isOpen) return <Shell />;
  return (
    <main>
      <Outlet />
    </main>
  );
}
