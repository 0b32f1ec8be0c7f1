import type { payLinkEndpoints } from '@hengfu/contract/pay-links';
import type { paymentLinkEndpoints } from '@hengfu/contract/payment-links';
import { Refusal } from '#domain/refusal.ts';
import type { Handlers } from '#http/bind.ts';
import { listReplyOf } from '#http/list-reply.ts';
import { TokenBuckets } from '#http/token-buckets.ts';
import { addressGroup } from '#security/address-group.ts';
import type { PayLinks } from './pay-links.service.ts';
import type { PaymentLinks } from './payment-links.service.ts';
import { toDetail, toPayLink, toRow } from './payment-links.view.ts';

/** Handlers of the console's calls about payment links. */
export function paymentLinkHandlers(
  links: PaymentLinks,
  appUrl: () => string,
): Handlers<typeof paymentLinkEndpoints> {
  return {
    list: async ({ caller: { home }, query }) =>
      listReplyOf(await links.list(home, query), home.currency, (link) => toRow(link, appUrl())),
    get: async ({ caller: { home }, params }) => ({
      data: toDetail(await links.find(home.merchantId, params.link_no), appUrl()),
    }),
    picture: async ({ caller: { home }, params }) => {
      const { type, bytes } = await links.picture(home.merchantId, params.link_no);
      return { data: { type, base64: bytes.toString('base64') } };
    },
    create: async ({ caller, request, body }) => ({
      data: toDetail(await links.create(caller, request, body), appUrl()),
    }),
    update: async ({ caller, request, params, query, body }) => ({
      data: toDetail(await links.update(caller, request, params.link_no, { ...body, ...query }), appUrl()),
    }),
    turn: async ({ caller, request, params, body }) => ({
      data: toDetail(await links.turn(caller, request, params.link_no, body.isOn), appUrl()),
    }),
  };
}

/**
 * Calls of the public page by a group of addresses, per web process. A payer makes three or four, and many may come at once from behind one
 * address. A picture has up to 2 MiB.
 */
const callRate = { burst: 400, perSecond: 2 };
const maxCallers = 10_000;

/** Handlers of the calls that a link's payers make. */
export function payLinkHandlers(links: PayLinks): Handlers<typeof payLinkEndpoints> {
  const calls = new TokenBuckets(callRate, maxCallers);
  const countCall = (address: string) => {
    const { caller } = addressGroup(address);
    const waitMs = calls.waitMs(caller);
    if (waitMs > 0) {
      const seconds = Math.ceil(waitMs / 1000);
      throw new Refusal('too_many_requests', { values: { count: seconds }, retryAfterSeconds: seconds });
    }
    calls.take(caller);
  };
  return {
    get: async ({ params, request }) => {
      countCall(request.address);
      return toPayLink(await links.open(params.token));
    },
    picture: async ({ params, request }) => {
      countCall(request.address);
      const { type, bytes } = await links.picture(params.token);
      const name = type === 'image/png' ? 'picture.png' : 'picture.jpg';
      return { name, type, bytes: bytes.length, content: bytes };
    },
    order: async ({ params, query, body, request }) => {
      // Orders that are made are counted; this bounds those that are refused.
      countCall(request.address);
      return { cashierUrl: await links.order(params.token, { ...body, ...query }, request) };
    },
    after: async ({ params, request }) => {
      countCall(request.address);
      const { link, outcome } = await links.after(params.token, params.order);
      const isPaid = outcome === 'paid';
      return {
        merchant: link.brand.name,
        color: link.brand.color,
        logo: link.brand.logo,
        registeredName: link.brand.registeredName,
        isPaid,
        outcome,
        note: isPaid ? link.note : null,
        returnUrl: link.returnUrl,
      };
    },
  };
}
