import type { twoFactorEndpoints } from '@hengfu/contract/two-factor';
import { Refusal } from '#domain/refusal.ts';
import type { Handlers } from '#http/bind.ts';
import type { Guards } from '#http/guards.ts';
import type { AppBindingService } from './app-binding.service.ts';
import type { ChallengeService } from './challenge.service.ts';
import type { TwoFactorService } from './two-factor.service.ts';

/** Handles the calls about two-factor authentication, in the format of Laravel Fortify. */
export function twoFactorHandlers(
  services: { twoFactor: TwoFactorService; appBinding: AppBindingService; challenges: ChallengeService },
  { cookies, devices }: Guards,
): Handlers<typeof twoFactorEndpoints> {
  const { twoFactor, appBinding, challenges } = services;
  return {
    challenge: async ({ body, request, http }) => {
      const sessionId = cookies.create();
      const { code, recovery_code: recoveryCode, passkey } = body;
      const shown = { code, recoveryCode, passkey };
      const userId = await challenges.pass(cookies.read(http.request), sessionId, shown, request);
      cookies.write(http.reply, sessionId);
      devices.remember(http.request, http.reply, userId);
    },
    enable: async ({ caller, body, request, http }) => {
      const newSessionId = cookies.create();
      const isForced = body.force ?? false;
      if (await appBinding.enable(caller, request, { isForced, newSessionId }))
        cookies.write(http.reply, newSessionId);
      return '';
    },
    confirm: async ({ caller, body, request, http }) => {
      const newSessionId = cookies.create();
      await appBinding.confirm(caller, request, { code: body.code, newSessionId });
      cookies.write(http.reply, newSessionId);
      return '';
    },
    disable: async ({ caller, request, http }) => {
      const newSessionId = cookies.create();
      if (await twoFactor.disable(caller, request, newSessionId)) cookies.write(http.reply, newSessionId);
      return '';
    },
    qrCode: async ({ caller }) => {
      const secret = await appBinding.secretOf(caller);
      return secret ? { svg: secret.svg, url: secret.url } : [];
    },
    secretKey: async ({ caller }) => {
      const secret = await appBinding.secretOf(caller);
      if (!secret) throw new Refusal('not_found');
      return { secretKey: secret.secretKey };
    },
    recoveryCodes: async ({ caller }) => twoFactor.codesOf(caller),
    renewRecoveryCodes: async ({ caller, request, http }) => {
      const newSessionId = cookies.create();
      if (await twoFactor.renewCodes(caller, request, newSessionId)) cookies.write(http.reply, newSessionId);
      return '';
    },
    firstSecretKey: async ({ caller, request }) => appBinding.begin(caller, request),
    firstConfirm: async ({ caller, body, request, http }) => {
      const newSessionId = cookies.create();
      const { code, enrolment_code: enrolmentCode } = body;
      const recoveryCodes = await appBinding.finish(caller, request, { code, enrolmentCode, newSessionId });
      cookies.write(http.reply, newSessionId);
      devices.remember(http.request, http.reply, caller.userId);
      return { recoveryCodes };
    },
  };
}
