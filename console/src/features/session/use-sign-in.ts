import { ApiError } from '@hengfu/client/api-error.ts';
import { useState } from 'react';
import { markSignedIn } from '../../platform/session-store.ts';
import type { FieldIssues } from './sign-in.api.ts';

/** The state of a sign-in. Holds no texts but their keys, so that they follow a language switch. */
export type SignInState =
  | { step: 'ready' }
  | { step: 'busy' }
  | { step: 'invalid'; fields: FieldIssues; isIncomplete: boolean }
  | { step: 'refused'; error: ApiError }
  | { step: 'twoFactor' };

/** The actions of a sign-in form. */
export interface SignInSteps {
  /** Reads the form and signs in. */
  submit: (form: FormData) => Promise<void>;
  /** Continues once every required factor has been accepted. */
  enter: () => Promise<void>;
  /** Returns to the first step. */
  restart: () => void;
}

/** Signs in step by step. The caller navigates on in `onSignedIn`, which is awaited. */
export function useSignIn(onSignedIn: () => Promise<void>): [SignInState, SignInSteps] {
  const [state, setState] = useState<SignInState>({ step: 'ready' });

  const enter = async () => {
    markSignedIn();
    try {
      await onSignedIn();
      // Still on this page only if the guard sent the user back.
      setState({ step: 'ready' });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // The next attempt finds that the user is signed in, and goes on from here.
      setState({ step: 'refused', error });
    }
  };

  const submit = async (data: FormData) => {
    const form = {
      email: String(data.get('email') ?? ''),
      password: String(data.get('password') ?? ''),
      remember: data.get('remember') !== null,
      unlock_code: String(data.get('unlock_code') ?? ''),
    };
    setState({ step: 'busy' });
    // Calls and schemas are not part of the first load; they load while the form is being filled in.
    const api = await import('./sign-in.api.ts').catch(() => undefined);
    if (!api) return setState({ step: 'refused', error: new ApiError(noReply) });
    const fields = api.issuesOf(form);
    const isIncomplete = form.email.trim() === '' && form.password === '';
    if (fields) return setState({ step: 'invalid', fields, isIncomplete });
    try {
      if (await api.signIn(form)) return setState({ step: 'twoFactor' });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.code !== 'already_signed_in') return setState({ step: 'refused', error });
    }
    await enter();
  };
  return [state, { submit, enter, restart: () => setState({ step: 'ready' }) }];
}

const noReply = { status: 0, code: 'network', message: '' } as const;
