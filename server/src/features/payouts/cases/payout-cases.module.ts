import { evidenceEndpoints } from '@hengfu/contract/staff/evidence';
import { payoutCaseEndpoints } from '@hengfu/contract/staff/orders';
import { feature } from '#http/bind.ts';
import type { StaffDeps, StaffModule } from '../../module.ts';
import { evidenceHandlers } from '../evidence/evidence.routes.ts';
import { PayoutEvidence } from '../evidence/evidence.service.ts';
import { Contradictions } from './contradictions.ts';
import { payoutCaseHandlers } from './payout-cases.routes.ts';
import { PayoutCases } from './payout-cases.service.ts';
import { PayoutOutcomes, payoutOutcomeEffects } from './payout-outcomes.ts';
import { PayoutTakeUp } from './payout-take-up.ts';

/** One payout of any merchant in the back office, and the actions that its state allows. */
export function payoutCasesModule({ database, archive, requests }: StaffDeps) {
  const cases = new PayoutCases(database, archive);
  const takeUp = new PayoutTakeUp(database);
  const payoutOutcomes = new PayoutOutcomes(database, requests);
  const payoutEvidence = new PayoutEvidence(database);
  return {
    services: { payoutOutcomes, payoutEvidence },
    endpoints: () => [
      feature(
        payoutCaseEndpoints,
        payoutCaseHandlers(cases, takeUp, payoutOutcomes, new Contradictions(database)),
      ),
      feature(evidenceEndpoints, evidenceHandlers(payoutEvidence)),
    ],
    requests: { payoutOutcome: payoutOutcomeEffects },
    sweep: () => payoutEvidence.sweep(),
  } satisfies StaffModule;
}
