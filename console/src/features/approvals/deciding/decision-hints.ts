import type { ApprovalKind } from '@hengfu/contract/approvals';
import type { PhraseKey } from '@hengfu/phrases/phrases';

interface DecisionHints {
  approve: PhraseKey;
  refuse: PhraseKey;
  withdraw: PhraseKey;
}

/** An order whose funds are locked until it is decided. */
const lockedOrder: DecisionHints = {
  approve: 'approvals.approveHint',
  refuse: 'approvals.refuseHint',
  withdraw: 'approvals.withdrawHint',
};

/** A change of settings: nobody's funds wait for it. */
const change = {
  refuse: 'approvals.refuseRulesHint',
  withdraw: 'approvals.withdrawRulesHint',
} as const;

/** Explains what follows from each decision, by the kind of the request. */
export const decisionHints: Readonly<Record<ApprovalKind, DecisionHints>> = {
  payout: lockedOrder,
  withdrawal: lockedOrder,
  batch: lockedOrder,
  refund: {
    approve: 'approvals.approveHint',
    refuse: 'approvals.refuseRefundHint',
    withdraw: 'approvals.withdrawRefundHint',
  },
  rules: { ...change, approve: 'approvals.approveRulesHint' },
  team: { ...change, approve: 'approvals.approveTeamHint' },
  access: { ...change, approve: 'approvals.approveAccessHint' },
};
