import type { ipAddressEndpoints } from '@hengfu/contract/ip-address';
import type { Handlers } from '#http/bind.ts';
import type { IpAddressService } from './ip-address.service.ts';

/** Handlers of the IP whitelist endpoints. */
export function ipAddressHandlers(service: IpAddressService): Handlers<typeof ipAddressEndpoints> {
  return {
    get: async ({ caller }) => ({ data: await service.find(caller.home.merchantId) }),
    preview: async ({ caller, request, body }) => ({
      data: await service.preview(caller, request, body.addresses),
    }),
    set: async ({ caller, request, body }) => {
      const requestNo = await service.set(caller, request, body);
      return requestNo === undefined ? '' : { data: { request_no: requestNo } };
    },
  };
}
