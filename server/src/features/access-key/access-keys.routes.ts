import type { accessKeysEndpoints } from '@hengfu/contract/access-keys';
import type { Handlers } from '#http/bind.ts';
import type { AccessKeysService } from './access-keys.service.ts';
import type { ShownKey } from './new-key.ts';

/** Handlers of the endpoints for all keys. */
export function accessKeysHandlers(service: AccessKeysService): Handlers<typeof accessKeysEndpoints> {
  return {
    list: async ({ caller }) => ({ data: await service.list(caller.home.merchantId) }),
    create: async ({ caller, request, body }) => made(await service.create(caller, request, body)),
    update: async ({ caller, request, params, body }) =>
      changed(await service.update(caller, request, params.key_id, body)),
    turn: async ({ caller, request, params, body }) =>
      changed(await service.turn(caller, request, params.key_id, body.isOn)),
    secret: async ({ caller, request, params, query }) => ({
      data: await service.reveal(caller, request, params.key_id, query.code),
    }),
    succeed: async ({ caller, request, params, body }) =>
      made(await service.succeed(caller, request, params.key_id, body)),
    end: async ({ caller, request, params }) => {
      await service.end(caller, request, params.key_id);
    },
  };
}

function made(result: ShownKey | { requestNo: string }) {
  return 'requestNo' in result ? { data: { request_no: result.requestNo } } : { data: result };
}

function changed(requestNo: string | undefined) {
  return requestNo === undefined ? ('' as const) : { data: { request_no: requestNo } };
}
