import { ApiError } from '@hengfu/client/api-error.ts';
import type { BodyInput } from '@hengfu/contract/endpoint';
import { passkeyEndpoints } from '@hengfu/contract/passkeys';
import { credentials, sessionEndpoints } from '@hengfu/contract/session';
import { twoFactorEndpoints } from '@hengfu/contract/two-factor';
import { translateIssue } from '@hengfu/ui/language/i18n.ts';
import { call, renewXsrfToken } from '../../platform/http.ts';

/** Phrase keys of the form's validation errors, by field. */
export type FieldIssues = Partial<Record<'email' | 'password', string>>;

/** The values of the form. */
export interface SignInForm {
  email: string;
  password: string;
  remember: boolean;
  unlock_code?: string;
}

/** Validates the form; undefined if it is valid. Keeps the first error of each field. */
export function issuesOf(form: SignInForm): FieldIssues | undefined {
  const checked = credentials.safeParse(form);
  if (checked.success) return undefined;
  const issues = checked.error.issues.map((issue) => [String(issue.path[0]), issue.message]).reverse();
  return Object.fromEntries(issues);
}

/** Signs in. Returns true if the account requires a second factor first. */
export async function signIn(form: SignInForm): Promise<boolean> {
  const login = () => call(sessionEndpoints.login, { body: form });
  try {
    return (await login()).two_factor;
  } catch (error) {
    // The XSRF token belonged to an ended session, so the server refused the call unread. Retry with a new
    // token.
    if (!(error instanceof ApiError && error.status === 419)) throw error;
    await renewXsrfToken();
    return (await login()).two_factor;
  }
}

/** Returns the account's second factors. */
export async function challengeOptions() {
  return (await call(passkeyEndpoints.challengeOptions)).data;
}

/** Submits the second factor. Throws `validation_failed` without a call if a code has the wrong length. */
export async function challenge(factor: BodyInput<typeof twoFactorEndpoints.challenge>): Promise<void> {
  const issues = twoFactorEndpoints.challenge.body.safeParse(factor).error?.issues;
  if (issues) {
    const fieldErrors = Object.fromEntries(
      issues.map(({ path, message }) => [String(path[0]), [translateIssue(message)]]),
    );
    throw new ApiError({ status: 422, code: 'validation_failed', message: '', fieldErrors });
  }
  await call(twoFactorEndpoints.challenge, { body: factor });
}

export { signWithPasskey } from '../../platform/passkeys.ts';
