import { payLinkEndpoints } from '@hengfu/contract/pay-links';
import { paymentLinkEndpoints } from '@hengfu/contract/payment-links';
import { feature } from '#http/bind.ts';
import type { FeatureModule, ModuleDeps } from '../module.ts';
import { type LinkOrders, PayLinks } from './pay-links.service.ts';
import { payLinkHandlers, paymentLinkHandlers } from './payment-links.routes.ts';
import { PaymentLinks } from './payment-links.service.ts';

/** Payment links of merchants, and the page where payers use them. `orders`: the feature of collections. */
export function paymentLinksModule({ database, appUrl }: ModuleDeps, orders: LinkOrders) {
  const paymentLinks = new PaymentLinks(database);
  const payLinks = new PayLinks(database, orders, appUrl);
  return {
    services: { paymentLinks, payLinks },
    endpoints: () => [
      feature(paymentLinkEndpoints, paymentLinkHandlers(paymentLinks, appUrl)),
      feature(payLinkEndpoints, payLinkHandlers(payLinks)),
    ],
  } satisfies FeatureModule;
}
