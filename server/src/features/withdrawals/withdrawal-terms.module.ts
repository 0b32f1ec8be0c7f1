import { withdrawalTermsEndpoints } from '@hengfu/contract/staff/merchant-terms';
import { feature } from '#http/bind.ts';
import type { StaffDeps, StaffModule } from '../module.ts';
import { withdrawalTermsHandlers } from './terms/withdrawal-terms.routes.ts';
import { WithdrawalTermsRequests, withdrawalTermsEffects } from './terms/withdrawal-terms.ts';

/** The terms on which merchants withdraw, in the back office. */
export function withdrawalTermsModule({ database, requests }: StaffDeps) {
  const withdrawalTermsRequests = new WithdrawalTermsRequests(database, requests);
  return {
    services: { withdrawalTermsRequests },
    endpoints: () => [feature(withdrawalTermsEndpoints, withdrawalTermsHandlers(withdrawalTermsRequests))],
    requests: { withdrawalTerms: withdrawalTermsEffects },
  } satisfies StaffModule;
}
