import type { Perm } from '@hengfu/contract/permissions';
import type { CurrentUser } from '@hengfu/contract/session';
import { readStored, setStorageOwner, writeStored } from '@hengfu/ui/browser/stored.ts';
import type { ReactNode } from 'react';
import { create } from 'zustand';

/** Storage key of the flag that a session exists. The session cookie itself is not readable by scripts. */
const flagKey = 'signedIn';

interface Session {
  user: CurrentUser | null;
  /** The last user; pages that still render while a session ends keep using it. */
  shown: CurrentUser | null;
  /** The last session ended without a sign-out, and nobody has signed in since. */
  hasEnded: boolean;
}

const useSession = create<Session>(() => ({ user: null, shown: null, hasEnded: false }));

/**
 * The signed-in user, or null if not signed in or not yet loaded. For the guard and code outside of React.
 */
export function sessionUser(): CurrentUser | null {
  return useSession.getState().user;
}

/**
 * The merchant that the page was rendered for: its code, which every call and event stream names. Undefined while nobody is signed
 * in.
 */
export function pageMerchant(): string | undefined {
  return sessionUser()?.merchant.code;
}

/** Whether this page has shown the data of another user, or of another merchant, which must not be mixed with this user's. */
export function hasShownOthers({ id, merchant }: CurrentUser): boolean {
  const { shown } = useSession.getState();
  return shown !== null && (shown.id !== id || shown.merchant.code !== merchant.code);
}

/** Sets the signed-in user, as reported by the server, and the flag. */
export function setSessionUser(user: CurrentUser): void {
  writeStored(flagKey, '1');
  setStorageOwner(`${user.id}.${user.merchant.code}`);
  useSession.setState({ user, shown: user, hasEnded: false });
}

/** Clears the user and the flag ("resets the token" in the specification), after a sign-out. */
export function resetSession(): void {
  writeStored(flagKey, undefined);
  useSession.setState({ user: null, hasEnded: false });
}

/** Clears them after the session has ended, which the sign-in page then says. */
export function loseSession(): void {
  resetSession();
  useSession.setState({ hasEnded: true });
}

/** Whether the user must sign in again because the session has ended. */
export function useHasSessionEnded(): boolean {
  return useSession(({ hasEnded }) => hasEnded);
}

/** Sets the flag after a successful sign-in, before the user is loaded. */
export function markSignedIn(): void {
  writeStored(flagKey, '1');
}

/** Whether the flag is set: this browser probably has a session. */
export function isMarkedSignedIn(): boolean {
  return readStored(flagKey) !== undefined;
}

/** The signed-in user. Only inside the shell, whose guard guarantees one. Throws elsewhere. */
export function useUser(): CurrentUser {
  const user = useSession((session) => session.shown);
  if (user === null) throw new Error('useUser outside of the signed-in shell');
  return user;
}

/** Whether the page shows a test merchant; false if nobody is signed in. */
export function useIsTestMode(): boolean {
  return useSession(({ shown }) => shown?.merchant.mode === 'test');
}

/** Whether a user is signed in, for components that also render on open pages. */
export function useIsSignedIn(): boolean {
  return useSession((session) => session.user !== null);
}

/** Whether the user holds any of the permissions. Always true for ROOT, never for a user without roles. */
export function hasPerm(user: CurrentUser, ...any: readonly Perm[]): boolean {
  if (user.roles.length === 0) return false;
  return user.roles.includes('ROOT') || any.some((perm) => user.perms.includes(perm));
}

/**
 * Renders its children if the user holds any of the permissions. The server checks them again on every call.
 * @public
 */
export function HasPerm({ any, children }: { any: readonly Perm[]; children: ReactNode }): ReactNode {
  return hasPerm(useUser(), ...any) ? children : null;
}
