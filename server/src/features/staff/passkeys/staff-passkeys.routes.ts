import type { staffPasskeyEndpoints } from '@hengfu/contract/staff/passkeys';
import type { Handlers } from '#http/bind.ts';
import type { StaffGuards } from '#http/staff-guards.ts';
import type { StaffSignIn } from '../staff-sign-in.ts';
import type { StaffPasskeys } from './staff-passkeys.ts';

/** Handles the calls about the passkeys of our staff. */
export function staffPasskeyHandlers(
  { passkeys, signIn }: { passkeys: StaffPasskeys; signIn: StaffSignIn },
  { cookies }: StaffGuards,
): Handlers<typeof staffPasskeyEndpoints> {
  const prove: StaffSignIn['authorize'] = (...given) => signIn.authorize(...given);
  return {
    list: async ({ caller }) => ({
      data: (await passkeys.list(caller)).map(({ id, name, createdAt, lastUsedAt }) => ({
        id,
        name,
        createdAt: createdAt.toISOString(),
        lastUsedAt: lastUsedAt?.toISOString() ?? null,
      })),
    }),
    request: async ({ caller }) => ({
      data: { hasApp: await signIn.hasApp(caller), passkey: await passkeys.request(caller) },
    }),
    bindOptions: async ({ caller }) => ({ data: await passkeys.bindOptions(caller) }),
    bind: async ({ caller, request, body, http }) => {
      const newSessionId = cookies.create();
      await passkeys.bind(caller, request, body, { newSessionId, prove });
      cookies.write(http.reply, newSessionId);
    },
    remove: async ({ caller, request, params, body, http }) => {
      const newSessionId = cookies.create();
      await passkeys.remove(caller, request, { ...body, id: params.passkey_id }, { newSessionId, prove });
      cookies.write(http.reply, newSessionId);
    },
  };
}
