import type { EndpointShape, ParamsOf, QueryOf } from '@hengfu/contract/endpoint';
import type { MerchantLook, merchantLookEndpoints } from '@hengfu/contract/staff/merchant-looks';
import type * as z from 'zod';
import type { Home } from '#domain/caller.ts';
import type { Handlers } from '#http/bind.ts';
import type { LookAt, MerchantLooks } from './looks.service.ts';

type Endpoints = typeof merchantLookEndpoints;
type Page = Exclude<keyof Endpoints, 'begin' | 'current'>;

/** Reads the pages of a merchant as its own people see them, by the services and row views of the console. */
export type MerchantPages = {
  [K in Page]: (
    home: Home,
    query: QueryOf<Endpoints[K]>,
    params: ParamsOf<Endpoints[K]>,
  ) => Promise<ReplyInput<Endpoints[K]>>;
};
type ReplyInput<E extends EndpointShape> = z.input<NonNullable<E['reply']>>;

/** Handles the calls of our staff that see what a merchant sees. */
export function merchantLookHandlers(looks: MerchantLooks, pages: MerchantPages): Handlers<Endpoints> {
  return {
    begin: async ({ caller: member, request, params: { code }, body: { reason } }) => ({
      data: toLook(await looks.begin(code, { member, request }, reason)),
    }),
    current: async ({ caller, params: { code } }) => {
      const look = await looks.current(code, caller);
      return { data: look ? toLook(look) : null };
    },
    account: async ({ caller, params }) =>
      pages.account(await looks.homeFor(params.code, caller), undefined, params),
    dashboard: async ({ caller, params, query }) =>
      pages.dashboard(await looks.homeFor(params.code, caller), query, params),
    fundFlow: async ({ caller, params, query }) =>
      pages.fundFlow(await looks.homeFor(params.code, caller), query, params),
    collections: async ({ caller, params, query }) =>
      pages.collections(await looks.homeFor(params.code, caller), query, params),
    collection: async ({ caller, params }) =>
      pages.collection(await looks.homeFor(params.code, caller), undefined, params),
    payouts: async ({ caller, params, query }) =>
      pages.payouts(await looks.homeFor(params.code, caller), query, params),
    payout: async ({ caller, params }) =>
      pages.payout(await looks.homeFor(params.code, caller), undefined, params),
    settlements: async ({ caller, params, query }) =>
      pages.settlements(await looks.homeFor(params.code, caller), query, params),
    settlement: async ({ caller, params }) =>
      pages.settlement(await looks.homeFor(params.code, caller), undefined, params),
    settlementLines: async ({ caller, params, query }) =>
      pages.settlementLines(await looks.homeFor(params.code, caller), query, params),
    dailyReport: async ({ caller, params, query }) =>
      pages.dailyReport(await looks.homeFor(params.code, caller), query, params),
  };
}

function toLook({ home: { code, name, currency }, reason, startedAt, endsAt }: LookAt): MerchantLook {
  return {
    merchant: { code, name, currency },
    reason,
    startedAt: startedAt.toISOString(),
    endsAt: endsAt.toISOString(),
  };
}
