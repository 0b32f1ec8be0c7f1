import type { cashierEndpoints } from '@hengfu/contract/cashier';
import type { Handlers } from '#http/bind.ts';
import type { CashierService } from './cashier.service.ts';

/** Handlers of the checkout page's endpoints. */
export function cashierHandlers(service: CashierService): Handlers<typeof cashierEndpoints> {
  return {
    get: ({ params, request }) => service.view(params.token, request.language),
    pay: ({ params, body, request }) => service.pay(params.token, body.channel, request.language),
  };
}
