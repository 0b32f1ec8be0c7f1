import type { batchHeadingEndpoints } from '@hengfu/contract/batch-headings';
import type { Handlers } from '#http/bind.ts';
import type { BatchHeadingService } from './batch-headings.service.ts';

/** Handles the console's calls about the headings of batch files. */
export function batchHeadingHandlers(service: BatchHeadingService): Handlers<typeof batchHeadingEndpoints> {
  return {
    list: async ({ caller: { home } }) => ({ data: await service.list(home) }),
    save: async ({ caller, request, body }) => {
      await service.save(caller, request, body);
      return undefined;
    },
  };
}
