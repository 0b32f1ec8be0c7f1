import { ApiError } from '@hengfu/client/api-error.ts';
import { passkeyEndpoints } from '@hengfu/contract/passkeys';
import { translate } from '@hengfu/ui/language/i18n.ts';
import { call } from './http.ts';
import type { sessionUser } from './session-store.ts';

type Owner = Pick<NonNullable<ReturnType<typeof sessionUser>>, 'factors'>;

/**
 * Whether this page can use passkeys. They are bound to a domain name, so a page opened by IP address can't
 * have any (WebAuthn Level 3, §5.1.3).
 */
export function canHavePasskeys(): boolean {
  const isIpAddress = /^\[|^[\d.]+$/.test(location.hostname);
  return !isIpAddress && isSecureContext && 'PublicKeyCredential' in window;
}

/** The localhost address of this site, where passkeys work on the machine that serves it. */
export function addressForPasskeys(): string {
  const { protocol, port } = location;
  return `${protocol}//localhost${port && `:${port}`}`;
}

/** Creates a passkey and binds it under a name. Throws an {@link ApiError}. */
export async function bindPasskey(name: string): Promise<void> {
  const { data } = await call(passkeyEndpoints.bindOptions);
  const credential = await withWebauthn(({ startRegistration }) => startRegistration({ optionsJSON: data }));
  await call(passkeyEndpoints.bind, { body: { name, credential } });
}

/** Signs a sign-in challenge with a passkey. Throws an {@link ApiError}. */
export function signWithPasskey(
  optionsJSON: Parameters<Webauthn['startAuthentication']>[0]['optionsJSON'],
): ReturnType<Webauthn['startAuthentication']> {
  return withWebauthn(({ startAuthentication }) => startAuthentication({ optionsJSON }));
}

/** Before a call that needs the second factor: asks for a passkey if the user has one and entered no code. */
export async function showPasskeyFor(owner: Owner, body: Readonly<Record<string, unknown>>): Promise<void> {
  if (body.code || !owner.factors.includes('passkey')) return;
  const { data } = await call(passkeyEndpoints.proofOptions);
  await call(passkeyEndpoints.proof, { body: { credential: await signWithPasskey(data) } });
}

type Webauthn = typeof import('@simplewebauthn/browser');

/**
 * Turns any failure into the same error: browsers do not distinguish a refused passkey from a closed dialog.
 */
async function withWebauthn<T>(work: (webauthn: Webauthn) => Promise<T>): Promise<T> {
  const webauthn = await import('@simplewebauthn/browser').catch((cause: unknown) => {
    throw new ApiError({ status: 0, code: 'network', message: '' }, { cause });
  });
  try {
    return await work(webauthn);
  } catch (cause) {
    const message = translate(canHavePasskeys() ? 'passkeys.notShown' : 'passkeys.notHere');
    throw new ApiError({ status: 422, code: 'validation_failed', message }, { cause });
  }
}
