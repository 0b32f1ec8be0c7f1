import type { CurrentStaff } from '@hengfu/contract/staff/session';
import { create } from 'zustand';
import { boot } from './boot.ts';
import { queryClient } from './query-client.ts';

interface Session {
  /** Null: nobody has completed the sign-in. */
  user: CurrentStaff | null;
  /** How far a sign-in has come; `none` before the password. */
  step: CurrentStaff['level'] | 'none';
  /** The last session ended without a sign-out. */
  hasEnded: boolean;
}

/** The session of this page. */
export const useSession = create<Session>(() => ({
  user: boot?.user ?? null,
  step: boot?.user?.level ?? 'none',
  hasEnded: false,
}));

export function setUser(user: CurrentStaff): void {
  useSession.setState({ user, step: user.level, hasEnded: false });
}

/** Notes how far a sign-in has come that is still to be completed. */
export function setStep(step: CurrentStaff['level']): void {
  useSession.setState({ step, hasEnded: false });
}

/**
 * Clears the person and everything that was read for the person: after a sign-out, or because the session has ended, even before
 * its second factor, which the sign-in page then says.
 */
export function clearUser(hasEnded: boolean): void {
  useSession.setState(({ step, hasEnded: hadEnded }) => ({
    user: null,
    step: 'none',
    // Several calls may notice the end.
    hasEnded: hasEnded && (hadEnded || step !== 'none'),
  }));
  queryClient.clear();
}
