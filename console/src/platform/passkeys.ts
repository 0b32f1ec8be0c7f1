import { passkeyEndpoints } from '@hengfu/contract/passkeys';
import { ApiError } from './api-error.ts';
import { call } from './http.ts';
import { translate } from './i18n.ts';
import type { sessionUser } from './session-store.ts';

type Owner = Pick<NonNullable<ReturnType<typeof sessionUser>>, 'factors'>;

/** Passkeys belong to a site's name: a page opened by a bare address can have none (WebAuthn Level 3, §5.1.3). */
export function canHavePasskeys(): boolean {
  const isAddress = /^\[|^[\d.]+$/.test(location.hostname);
  return !isAddress && isSecureContext && 'PublicKeyCredential' in window;
}

/** The address at which this page could have passkeys, on the machine it is served from. */
export function addressForPasskeys(): string {
  const { protocol, port } = location;
  return `${protocol}//localhost${port && `:${port}`}`;
}

/** Makes a passkey and binds it under a name. Throws an {@link ApiError}. */
export async function bindPasskey(name: string): Promise<void> {
  const { data } = await call(passkeyEndpoints.bindOptions);
  const credential = await ask(({ startRegistration }) => startRegistration({ optionsJSON: data }));
  await call(passkeyEndpoints.bind, { body: { name, credential } });
}

/** What the browser got from an authenticator for a sign-in under way. */
export function signWithPasskey(
  optionsJSON: Parameters<Webauthn['startAuthentication']>[0]['optionsJSON'],
): ReturnType<Webauthn['startAuthentication']> {
  return ask(({ startAuthentication }) => startAuthentication({ optionsJSON }));
}

/** Before a call that asks for the second factor: shows a passkey, where its owner has one and typed no code. */
export async function showPasskeyFor(owner: Owner, body: Readonly<Record<string, unknown>>): Promise<void> {
  if (body.code || !owner.factors.includes('passkey')) return;
  const { data } = await call(passkeyEndpoints.proofOptions);
  await call(passkeyEndpoints.proof, { body: { credential: await signWithPasskey(data) } });
}

type Webauthn = typeof import('@simplewebauthn/browser');

/** Browsers do not tell a passkey that was refused from a dialog that was closed. */
async function ask<T>(work: (webauthn: Webauthn) => Promise<T>): Promise<T> {
  const webauthn = await import('@simplewebauthn/browser');
  try {
    return await work(webauthn);
  } catch (cause) {
    const message = translate(canHavePasskeys() ? 'passkeys.notShown' : 'passkeys.notHere');
    throw new ApiError({ status: 422, code: 'validation_failed', message }, { cause });
  }
}
