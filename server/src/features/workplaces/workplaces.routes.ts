import type { workplaceEndpoints } from '@hengfu/contract/workplaces';
import type { Handlers } from '#http/bind.ts';
import type { Guards } from '#http/guards.ts';
import type { WorkplaceService } from './workplaces.service.ts';

/** Handles the choice between the merchants that a person works for. */
export function workplaceHandlers(
  service: WorkplaceService,
  { cookies, devices }: Guards,
): Handlers<typeof workplaceEndpoints> {
  return {
    list: async ({ caller }) => ({
      data: (await service.list(caller)).map(({ merchantId, code, name, isLastUsed, isAvailable }) => ({
        code,
        name,
        isCurrent: caller.isChosen && merchantId === caller.home.merchantId,
        isLastUsed,
        isAvailable,
      })),
    }),
    choose: async ({ caller, body, request, http }) => {
      const newSessionId = cookies.create();
      const moved = await service.choose(caller, body.merchant, newSessionId, request);
      if (!moved) return undefined;
      cookies.write(http.reply, newSessionId);
      if (moved.isComplete) devices.remember(http.request, http.reply, caller.userId);
      return undefined;
    },
  };
}
