import { permsOf, type Role } from '@hengfu/contract/permissions';

/** The people who have to approve: a number of people, each of whom has one of the roles or is named. */
export interface AskingRule {
  approvers: number;
  roles: readonly Role[];
  /** IDs of people, as text. */
  people: readonly string[];
}

/** A person who may still act for the merchant, with the roles of this moment. */
export interface Approver {
  userId: string;
  roles: readonly Role[];
}

/** Whether a rule counts a person's approval. */
function counts({ roles, people }: AskingRule, approver: Approver): boolean {
  if (!permsOf(approver.roles).includes('approvals.decide')) return false;
  return people.includes(approver.userId) || roles.some((role) => approver.roles.includes(role));
}

/** Whether any of the rules counts a person's approval. */
export function mayApprove(rules: readonly AskingRule[], approver: Approver): boolean {
  return rules.some((rule) => counts(rule, approver));
}

/**
 * Whether every rule has the approvals that it asks for. The rules are those of when the request was made, together with those
 * of now: whichever is stricter holds.
 */
export function isSatisfied(rules: readonly AskingRule[], approvers: readonly Approver[]): boolean {
  return rules.every(
    (rule) => approvers.filter((approver) => counts(rule, approver)).length >= rule.approvers,
  );
}

/** The approvals that a person reads as needed: those of the rule that asks for the most. */
export function neededBy(rules: readonly AskingRule[]): number {
  return Math.max(0, ...rules.map(({ approvers }) => approvers));
}
