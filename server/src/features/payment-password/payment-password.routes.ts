import type { paymentPasswordEndpoints } from '@hengfu/contract/payment-password';
import type { Handlers } from '#http/bind.ts';
import type { PaymentPasswordService } from './payment-password.service.ts';

/** Handles the calls about the payment password. */
export function paymentPasswordHandlers(
  service: PaymentPasswordService,
): Handlers<typeof paymentPasswordEndpoints> {
  return {
    get: async ({ caller }) => ({ data: await service.status(caller) }),
    set: async ({ caller, request, body }) => {
      await service.set(caller, request, body);
      return '';
    },
  };
}
