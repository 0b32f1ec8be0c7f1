import type { statusEndpoints } from '@hengfu/contract/status';
import type { Handlers } from '#http/bind.ts';
import type { StatusService } from './status.service.ts';

/** Handles the console's call for the status of the service. */
export function statusHandlers(service: StatusService): Handlers<typeof statusEndpoints> {
  return {
    get: async ({ caller, request }) => {
      const { currency, zone } = caller.home;
      const reader = { currency, zone: caller.ownZone ?? zone, language: request.language };
      return { data: await service.report(reader) };
    },
  };
}
