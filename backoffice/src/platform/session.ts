import type { StaffPerm } from '@hengfu/contract/staff/permissions';
import type { CurrentStaff } from '@hengfu/contract/staff/session';
import { useSession } from './session-store.ts';

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

/** How far the sign-in has come. */
export function useSignInStep(): CurrentStaff['level'] | 'none' {
  return useSession(({ step }) => step);
}

export function useHasSessionEnded(): boolean {
  return useSession(({ hasEnded }) => hasEnded);
}
