import { addressForPasskeys, canHavePasskeys, createPasskey, showPasskey } from '@hengfu/client/webauthn.ts';
import { passkeyEndpoints } from '@hengfu/contract/passkeys';
import { translate } from '@hengfu/ui/language/i18n.ts';
import { call } from './http.ts';
import type { sessionUser } from './session-store.ts';

export { addressForPasskeys, canHavePasskeys };

type Owner = Pick<NonNullable<ReturnType<typeof sessionUser>>, 'factors'>;

const notShown = (canHave: boolean) => translate(canHave ? 'passkeys.notShown' : 'passkeys.notHere');

/** Creates a passkey and binds it under a name. Throws an {@link ApiError}. */
export async function bindPasskey(name: string): Promise<void> {
  const { data } = await call(passkeyEndpoints.bindOptions);
  const credential = await createPasskey(data, notShown);
  await call(passkeyEndpoints.bind, { body: { name, credential } });
}

/** Signs a sign-in challenge with a passkey. Throws an {@link ApiError}. */
export function signWithPasskey(options: Parameters<typeof showPasskey>[0]): ReturnType<typeof showPasskey> {
  return showPasskey(options, notShown);
}

/** Before a call that needs the second factor: asks for a passkey if the user has one and entered no code. */
export async function showPasskeyFor(owner: Owner, body: Readonly<Record<string, unknown>>): Promise<void> {
  if (body.code || !owner.factors.includes('passkey')) return;
  const { data } = await call(passkeyEndpoints.proofOptions);
  await call(passkeyEndpoints.proof, { body: { credential: await signWithPasskey(data) } });
}
