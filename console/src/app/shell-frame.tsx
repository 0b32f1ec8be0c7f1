import { Outlet, useLocation } from '@tanstack/react-router';
import { useIsSignedIn } from '../platform/session-store.ts';
import { isOpenPath } from './open-paths.ts';
import { Shell } from './shell/shell.tsx';

/** Sidebar and top bar around the page; around an error page that nobody is signed in for: nothing. */
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
