import {
  type ApprovalRule,
  type ApprovalRuleInput,
  isSettingKind,
  type RuleKind,
} from '@hengfu/contract/approval-rules';
import type { Role } from '@hengfu/contract/permissions';

/** A rule while it is edited. */
export interface RuleDraft {
  /** Tells drafts apart while they are added and removed. */
  key: number;
  kind: RuleKind;
  amount: string;
  approvers: number;
  roles: Role[];
  people: string[];
}

let keys = 0;

/** A new rule, as most merchants begin: one approver for every payout. */
export function newDraft(): RuleDraft {
  return { key: ++keys, kind: 'payout', amount: '', approvers: 1, roles: ['APPROVER'], people: [] };
}

/** A draft of a rule that is there. */
export function draftOf({ kind, amount, approvers, roles, people }: ApprovalRule): RuleDraft {
  return { key: ++keys, kind, amount, approvers, roles: [...roles], people: people.map(({ id }) => id) };
}

/** The rule that a draft stands for. Without an amount, it covers every order; settings have none. */
export function ruleOf({ key: _key, amount, ...rule }: RuleDraft): ApprovalRuleInput {
  return { ...rule, amount: isSettingKind(rule.kind) || amount.trim() === '' ? '0' : amount.trim() };
}
