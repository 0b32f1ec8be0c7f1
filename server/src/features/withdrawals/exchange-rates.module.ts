import { rateEndpoints } from '@hengfu/contract/staff/rates';
import { feature, type Handlers } from '#http/bind.ts';
import type { StaffDeps, StaffModule } from '../module.ts';
import { exchangeRateEffects, RateRequests } from './rates/exchange-rates.requests.ts';
import { WithdrawalTermsService } from './withdrawal-terms.service.ts';

/** Exchange rates in the back office, by the same service as the operators' commands. */
export function exchangeRatesModule({ database, requests }: StaffDeps) {
  const rateRequests = new RateRequests(database, requests);
  return {
    services: { rateRequests },
    endpoints: () => [
      feature(rateEndpoints, rateHandlers(new WithdrawalTermsService(database), rateRequests)),
    ],
    requests: { exchangeRate: exchangeRateEffects },
  } satisfies StaffModule;
}

function rateHandlers(
  service: WithdrawalTermsService,
  requests: RateRequests,
): Handlers<typeof rateEndpoints> {
  return {
    list: async () => ({
      data: (await service.rates()).map((rate) => ({ ...rate, validFrom: rate.validFrom.toISOString() })),
    }),
    ask: async ({ caller: member, request, body: { reason, ...given } }) => ({
      data: { request: String(await requests.ask(given, { member, request }, reason)) },
    }),
  };
}
