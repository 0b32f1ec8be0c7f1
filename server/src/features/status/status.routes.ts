import type { statusEndpoints } from '@hengfu/contract/status';
import type { Handlers } from '#http/bind.ts';
import type { StatusService } from './status.service.ts';

/** The console's call about the service itself. */
export function statusHandlers(service: StatusService): Handlers<typeof statusEndpoints> {
  return {
    get: async ({ caller, request }) => {
      const { currency, zone } = caller.home;
      const reader = { currency, zone: caller.ownZone ?? zone, language: request.language };
      return { data: await service.report(reader) };
    },
  };
}
