import type { twoFactorEndpoints } from '@hengfu/contract/two-factor';
import type { Handlers } from '#http/bind.ts';
import type { Guards } from '#http/guards.ts';
import { Refusal } from '#refusal.ts';
import type { ChallengeService } from './challenge.service.ts';
import type { TwoFactorService } from './two-factor.service.ts';

/** The calls of the second factor, in the dialect of Fortify. */
export function twoFactorHandlers(
  service: TwoFactorService,
  challenges: ChallengeService,
  { cookies }: Guards,
): Handlers<typeof twoFactorEndpoints> {
  return {
    challenge: async ({ body, request, http }) => {
      const sessionId = cookies.create();
      const { code, recovery_code: recoveryCode, passkey } = body;
      const shown = { code, recoveryCode, passkey };
      await challenges.pass(cookies.read(http.request), sessionId, shown, request);
      cookies.write(http.reply, sessionId);
    },
    enable: async ({ caller, body, request }) => {
      await service.enable(caller, request, body.force ?? false);
      return '';
    },
    confirm: async ({ caller, body, request }) => {
      await service.confirm(caller, request, body.code);
      return '';
    },
    disable: async ({ caller, request }) => {
      await service.disable(caller, request);
      return '';
    },
    qrCode: async ({ caller }) => {
      const secret = await service.secretOf(caller);
      return secret ? { svg: secret.svg, url: secret.url } : [];
    },
    secretKey: async ({ caller }) => {
      const secret = await service.secretOf(caller);
      if (!secret) throw new Refusal('not_found');
      return { secretKey: secret.secretKey };
    },
    recoveryCodes: async ({ caller }) => service.codesOf(caller),
    renewRecoveryCodes: async ({ caller, request }) => {
      await service.renewCodes(caller, request);
      return '';
    },
    firstSecretKey: async ({ caller, request }) => service.begin(caller, request),
    firstConfirm: async ({ caller, body, request }) => ({
      recoveryCodes: await service.finish(caller, request, body.code),
    }),
  };
}
