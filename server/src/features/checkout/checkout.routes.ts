import type { CheckoutSettings, checkoutEndpoints } from '@hengfu/contract/checkout';
import { logoPathOf } from '#domain/checkout-brand.ts';
import type { Handlers } from '#http/bind.ts';
import type { Brand, CheckoutService } from './checkout.service.ts';

/** Handlers of the settings of checkout pages, and of their logos. */
export function checkoutHandlers(service: CheckoutService): Handlers<typeof checkoutEndpoints> {
  return {
    get: async ({ caller }) => ({ data: toSettings(await service.find(caller.home.merchantId)) }),
    set: async ({ caller, request, body }) => ({
      data: toSettings(await service.set(caller, request, body)),
    }),
    logo: async ({ params }) => {
      const content = await service.logo(params.logo);
      return { name: 'logo.png', type: 'image/png', bytes: content.length, content };
    },
  };
}

function toSettings({ name, color, logoName }: Brand): CheckoutSettings {
  return { name, color, logo: logoPathOf(logoName) };
}
