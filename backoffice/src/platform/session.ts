import type { StaffPerm } from '@hengfu/contract/staff/permissions';
import type { CurrentStaff } from '@hengfu/contract/staff/session';
import { create } from 'zustand';
import { boot } from './boot.ts';

interface Session {
  /** Null: nobody has completed the sign-in. */
  user: CurrentStaff | null;
  /** The last session ended without a sign-out. */
  hasEnded: boolean;
}

const useSession = create<Session>(() => ({ user: boot?.user ?? null, hasEnded: false }));

/** The person of the session, whatever the level; null if signed out. */
export function useSessionUser(): CurrentStaff | null {
  return useSession(({ user }) => user);
}

/** The signed-in person. Only inside the shell, which shows nothing without one. Throws elsewhere. */
export function useUser(): CurrentStaff {
  const user = useSessionUser();
  if (!user) throw new Error('useUser outside of the signed-in shell');
  return user;
}

/** Whether the signed-in person holds a permission. The server checks it again on every call. */
export function useHasPerm(perm: StaffPerm): boolean {
  return useUser().perms.includes(perm);
}

export function setUser(user: CurrentStaff): void {
  useSession.setState({ user, hasEnded: false });
}

/** Clears the person: after a sign-out, or because the session has ended, which the sign-in page then says. */
export function clearUser(hasEnded: boolean): void {
  useSession.setState(({ user }) => ({ user: null, hasEnded: hasEnded && user !== null }));
}

export function useHasSessionEnded(): boolean {
  return useSession(({ hasEnded }) => hasEnded);
}
