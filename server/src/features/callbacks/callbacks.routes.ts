import type { callbackAddressEndpoints } from '@hengfu/contract/callback-addresses';
import type { callbackEndpointEndpoints } from '@hengfu/contract/callback-endpoints';
import type { callbackMessageEndpoints } from '@hengfu/contract/callback-messages';
import type { Handlers } from '#http/bind.ts';
import { maskedBody } from '#http/request-log/masking.ts';
import type { CallbackChecks } from './callback-checks.service.ts';
import type { CallbackEndpoints } from './callback-endpoints.service.ts';
import type { CallbackMessages } from './callback-messages.service.ts';
import { toAddress, toCheck, toDetail, toEndpoint, toRow } from './callbacks.view.ts';

/** Handlers of a merchant's callback endpoints. */
export function callbackEndpointHandlers(
  service: CallbackEndpoints,
  checks: CallbackChecks,
): Handlers<typeof callbackEndpointEndpoints> {
  const changed = (made: Awaited<ReturnType<CallbackEndpoints['create']>>) =>
    'requestNo' in made ? { data: { request_no: made.requestNo } } : { data: toEndpoint(made) };
  return {
    list: async ({ caller }) => ({ data: (await service.list(caller.home.merchantId)).map(toEndpoint) }),
    create: async ({ caller, request, body }) => changed(await service.create(caller, request, body)),
    update: async ({ caller, request, params, body }) =>
      changed(await service.update(caller, request, BigInt(params.endpoint_id), body)),
    turn: async ({ caller, request, params, body }) => ({
      data: toEndpoint(await service.turn(caller, request, BigInt(params.endpoint_id), body.state)),
    }),
    skipWaiting: async ({ caller, request, params }) => ({
      data: { skipped: await service.skipWaiting(caller, request, BigInt(params.endpoint_id)) },
    }),
    secret: async ({ caller, request, params, query }) => ({
      data: { secret: await service.reveal(caller, request, BigInt(params.endpoint_id), query.code) },
    }),
    rotate: async ({ caller, request, params, body }) => ({
      data: { secret: await service.rotate(caller, request, BigInt(params.endpoint_id), body) },
    }),
    remove: async ({ caller, request, params }) => {
      await service.remove(caller, request, BigInt(params.endpoint_id));
    },
    check: async ({ caller, request, params }) => ({
      data: toCheck(await checks.start(caller, request, BigInt(params.endpoint_id))),
    }),
  };
}

/** Handlers of the callback URLs of a merchant's keys. */
export function callbackAddressHandlers(checks: CallbackChecks): Handlers<typeof callbackAddressEndpoints> {
  return {
    list: async ({ caller }) => ({
      data: (await checks.listAddresses(caller.home.merchantId)).map(toAddress),
    }),
    check: async ({ caller, request, params }) => ({
      data: toCheck(await checks.startOfAddress(caller, request, params.key_id)),
    }),
  };
}

/** Handlers of a merchant's callbacks. */
export function callbackMessageHandlers(
  service: CallbackMessages,
): Handlers<typeof callbackMessageEndpoints> {
  return {
    list: async ({ caller, query }) => {
      const { rows, next, previous, total, at } = await service.list(caller.home.merchantId, query);
      return { data: rows.map(toRow), next, previous, total, at: at.toISOString() };
    },
    get: async ({ caller, params }) => ({
      data: toDetail(await service.find(caller.home.merchantId, params.callback_id), (body) =>
        maskedBody(body),
      ),
    }),
    sendAgain: async ({ caller, request, body }) => ({
      data: { sent: await service.sendAgain(caller, request, body.ids) },
    }),
  };
}
