import type { accessKeyEndpoints } from '@hengfu/contract/access-key';
import type { Handlers } from '#http/bind.ts';
import type { AccessKeyService } from './access-key.service.ts';

/** Handlers of the access key endpoints. */
export function accessKeyHandlers(service: AccessKeyService): Handlers<typeof accessKeyEndpoints> {
  return {
    get: async ({ caller }) => ({ data: await service.find(caller.home.merchantId) }),
    secret: async ({ caller, request, query }) => ({
      data: await service.reveal(caller, request, query.code),
    }),
    regenerate: async ({ caller, request, body }) => {
      const made = await service.regenerate(caller, request, body.overlapHours, body.code);
      return 'requestNo' in made ? { data: { request_no: made.requestNo } } : { data: made };
    },
    update: async ({ caller, request, body }) => {
      const requestNo = await service.update(caller, request, body);
      return requestNo === undefined ? '' : { data: { request_no: requestNo } };
    },
    endOlder: async ({ caller, request }) => {
      await service.endOlder(caller, request);
    },
  };
}
