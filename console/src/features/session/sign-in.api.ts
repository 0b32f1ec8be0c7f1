import type { BodyInput } from '@hengfu/contract/endpoint';
import { passkeyEndpoints } from '@hengfu/contract/passkeys';
import { credentials, sessionEndpoints } from '@hengfu/contract/session';
import { twoFactorEndpoints } from '@hengfu/contract/two-factor';
import { ApiError } from '../../platform/api-error.ts';
import { call, renewXsrfToken } from '../../platform/http.ts';

/** Phrase keys of the form's own rules that were broken, by field. */
export type FieldIssues = Partial<Record<'email' | 'password', string>>;

/** What the form holds. */
export interface SignInForm {
  email: string;
  password: string;
  remember: boolean;
  unlock_code?: string;
}

/** The rules that the form breaks; undefined where it breaks none. The first of a field counts. */
export function issuesOf(form: SignInForm): FieldIssues | undefined {
  const checked = credentials.safeParse(form);
  if (checked.success) return undefined;
  const issues = checked.error.issues.map((issue) => [String(issue.path[0]), issue.message]).reverse();
  return Object.fromEntries(issues);
}

/** Signs in. True: the account asks for a second factor before anything opens. */
export async function signIn(form: SignInForm): Promise<boolean> {
  const ask = () => call(sessionEndpoints.login, { body: form });
  try {
    return (await ask()).two_factor;
  } catch (error) {
    // The token was of a session that is gone: nothing was looked at, and a new one costs the reader nothing.
    if (!(error instanceof ApiError && error.status === 419)) throw error;
    await renewXsrfToken();
    return (await ask()).two_factor;
  }
}

/** Which second factors the account has. */
export async function challengeOptions() {
  return (await call(passkeyEndpoints.challengeOptions)).data;
}

/** Shows the second factor. */
export async function challenge(shown: BodyInput<typeof twoFactorEndpoints.challenge>): Promise<void> {
  await call(twoFactorEndpoints.challenge, { body: shown });
}

export { signWithPasskey } from '../../platform/passkeys.ts';
