import type { passkeyEndpoints } from '@hengfu/contract/passkeys';
import type { Handlers } from '#http/bind.ts';
import type { Guards } from '#http/guards.ts';
import type { ChallengeService } from '../challenge.service.ts';
import type { PasskeyService } from './passkeys.service.ts';

/** Handles the calls about passkeys. */
export function passkeyHandlers(
  service: PasskeyService,
  challenges: ChallengeService,
  { cookies }: Guards,
): Handlers<typeof passkeyEndpoints> {
  return {
    list: async ({ caller }) => ({
      data: (await service.list(caller)).map(({ id, name, createdAt, lastUsedAt }) => ({
        id,
        name,
        createdAt: createdAt.toISOString(),
        lastUsedAt: lastUsedAt?.toISOString() ?? null,
      })),
    }),
    bindOptions: async ({ caller }) => ({ data: await service.bindOptions(caller) }),
    bind: async ({ caller, request, body, http }) => {
      const newSessionId = cookies.create();
      await service.bind(caller, request, { ...body, newSessionId });
      cookies.write(http.reply, newSessionId);
      return '';
    },
    remove: async ({ caller, request, params, http }) => {
      const newSessionId = cookies.create();
      await service.remove(caller, request, { id: params.passkey_id, newSessionId });
      cookies.write(http.reply, newSessionId);
    },
    proofOptions: async ({ caller }) => ({ data: await service.proofOptions(caller) }),
    proof: async ({ caller, body }) => {
      await service.prove(caller, body.credential);
    },
    challengeOptions: async ({ http }) => ({ data: await challenges.options(cookies.read(http.request)) }),
  };
}
