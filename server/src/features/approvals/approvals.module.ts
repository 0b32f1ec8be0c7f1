import { accessRequestEndpoints } from '@hengfu/contract/access-requests';
import { approvalEndpoints } from '@hengfu/contract/approvals';
import type { Authorize } from '#domain/caller.ts';
import { feature } from '#http/bind.ts';
import type { FeatureModule, ModuleDeps } from '../module.ts';
import { accessRequestHandlers } from './access/access-requests.routes.ts';
import type { EffectsByKind } from './approvals.effects.ts';
import { ApprovalReading } from './approvals.reading.ts';
import { approvalHandlers } from './approvals.routes.ts';
import { ApprovalService } from './approvals.service.ts';
import { ApprovalRuleService } from './rules.service.ts';

const expireTask = 'approvals.expire';

/** Approval by a second person: rules, requests and decisions. `effects` are those of the features that own the orders. */
export function approvalsModule(
  { database }: ModuleDeps,
  { authorize, effects }: { authorize: Authorize; effects: Omit<EffectsByKind, 'rules'> },
) {
  const approvalRules = new ApprovalRuleService(database, authorize);
  const approvals = new ApprovalService({
    database,
    authorize,
    effects: { ...effects, rules: approvalRules.effects },
  });
  const reading = new ApprovalReading(database, approvals);
  return {
    services: { approvals, approvalRules },
    endpoints: () => [
      feature(approvalEndpoints, approvalHandlers(approvals, reading, approvalRules)),
      feature(accessRequestEndpoints, accessRequestHandlers(approvals, reading)),
    ],
    tasks: { own: { [expireTask]: async () => void (await approvals.expire()) } },
    recurring: [{ task: expireTask, everySeconds: 30 }],
    sweeps: [(tx) => approvalRules.sweep(tx)],
  } satisfies FeatureModule;
}
