import type { merchantSuspensionEndpoints } from '@hengfu/contract/staff/merchant-suspension';
import type { StaffActor } from '#domain/caller.ts';
import { Refusal } from '#domain/refusal.ts';
import type { Handlers } from '#http/bind.ts';
import type { MerchantReactivation } from './merchant-reactivation.ts';
import type { SuspensionService } from './suspension.service.ts';

/** Handles the calls of our staff that suspend merchants. */
export function merchantSuspensionHandlers(
  serviceOf: (by: StaffActor) => SuspensionService,
  reactivation: MerchantReactivation,
): Handlers<typeof merchantSuspensionEndpoints> {
  return {
    suspend: async ({ caller: member, request, params: { code }, body: { reason } }) => {
      const suspension = serviceOf({ member, request });
      const { id } = await suspension.find(code);
      // Somebody else was quicker: the reason of the first one stands.
      if ((await suspension.suspendMerchant(id, reason)) === 'unchanged') throw new Refusal('conflict');
    },
    reactivate: async ({ caller: member, request, params: { code }, body: { reason } }) => ({
      data: { request: String(await reactivation.ask(code, { member, request }, reason)) },
    }),
  };
}
