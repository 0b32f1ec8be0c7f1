import type { Perm } from '@hengfu/contract/permissions';
import type { CurrentUser } from '@hengfu/contract/session';
import type { ReactNode } from 'react';
import { create } from 'zustand';
import { readStored, writeStored } from './stored.ts';

/** Key of the flag that a session exists; the session itself is a cookie that script can't read. */
const flagKey = 'signedIn';

interface Session {
  user: CurrentUser | null;
  /** Who was on screen last: pages that are still drawn while a session ends go on with it. */
  shown: CurrentUser | null;
}

const useSession = create<Session>(() => ({ user: null, shown: null }));

/** The signed-in user, or null while nobody is known to be: for the guard and code outside of React. */
export function sessionUser(): CurrentUser | null {
  return useSession.getState().user;
}

/** Takes the user that the server named, and keeps the flag that somebody is signed in. */
export function setSessionUser(user: CurrentUser): void {
  writeStored(flagKey, '1');
  useSession.setState({ user, shown: user });
}

/** Forgets the user and the flag ("resets the token"). */
export function resetSession(): void {
  writeStored(flagKey, undefined);
  useSession.setState({ user: null });
}

/** Notes that a sign-in succeeded, before the user is loaded. */
export function markSignedIn(): void {
  writeStored(flagKey, '1');
}

/** Whether this browser believes that a session exists. */
export function isMarkedSignedIn(): boolean {
  return readStored(flagKey) !== undefined;
}

/** The signed-in user. Only inside the shell: its guard lets nobody in without one. */
export function useUser(): CurrentUser {
  const user = useSession((session) => session.shown);
  if (user === null) throw new Error('useUser outside of the signed-in shell');
  return user;
}

/** Whether somebody is signed in; for what stands around both kinds of pages. */
export function useIsSignedIn(): boolean {
  return useSession((session) => session.user !== null);
}

/** Any one of the perms is enough; ROOT passes always, a user without roles never. */
export function hasPerm(user: CurrentUser, ...any: readonly Perm[]): boolean {
  if (user.roles.length === 0) return false;
  return user.roles.includes('ROOT') || any.some((perm) => user.perms.includes(perm));
}

/**
 * Shows its children to a user who holds one of the perms. The server checks the same on every call.
 * @public
 */
export function HasPerm({ any, children }: { any: readonly Perm[]; children: ReactNode }): ReactNode {
  return hasPerm(useUser(), ...any) ? children : null;
}
