import type { testModeEndpoints } from '@hengfu/contract/test-mode';
import type { Handlers } from '#http/bind.ts';
import type { Guards } from '#http/guards.ts';
import type { TestModeService } from './test-mode.service.ts';

/** Handles the calls about test mode. */
export function testModeHandlers(
  service: TestModeService,
  { cookies }: Guards,
): Handlers<typeof testModeEndpoints> {
  return {
    set: async ({ caller, body, request, http }) => {
      const newSessionId = cookies.create();
      if (await service.set(caller, body.isOn, newSessionId, request))
        cookies.write(http.reply, newSessionId);
      return undefined;
    },
    addFunds: async ({ caller, body, request }) => {
      await service.addFunds(caller, body.amount, request);
      return undefined;
    },
    wipe: async ({ caller, request }) => {
      await service.wipe(caller, request);
      return undefined;
    },
  };
}
