import { createPasskey, showPasskey } from '@hengfu/client/webauthn.ts';
import { staffPasskeyEndpoints } from '@hengfu/contract/staff/passkeys';
import { translate } from '@hengfu/ui/language/i18n.ts';
import { call } from './http.ts';

type CreationOptions = Parameters<typeof createPasskey>[0];

const notShown = (canHave: boolean) => translate(canHave ? 'passkeys.notShown' : 'passkeys.notHere');

/**
 * Adds what proves the second factor to a body that has no code: a passkey, if the person has one, which the browser asks for. Throws an
 * `ApiError`.
 */
export async function withPasskey(body: Readonly<Record<string, unknown>>): Promise<object> {
  const { code, ...rest } = body;
  if (code) return body;
  const { data } = await call(staffPasskeyEndpoints.request);
  return data.passkey ? { ...rest, passkey: await showPasskey(data.passkey, notShown) } : body;
}

/** Has the browser create a passkey. Throws an `ApiError`. */
export function newPasskey(options: CreationOptions): ReturnType<typeof createPasskey> {
  return createPasskey(options, notShown);
}
