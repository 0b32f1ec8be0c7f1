import type { Grant, Role } from '@hengfu/contract/permissions';

/** The people who have to approve: a number of people, each of whom has one of the roles or is named. */
export interface AskingRule {
  approvers: number;
  roles: readonly Role[];
  /** IDs of people, as text. */
  people: readonly string[];
}

/** A person who may still act for the merchant, with the roles of this moment. */
export interface Approver extends Grant {
  userId: string;
}

/** Whether a rule counts a person's approval. */
function counts({ roles, people }: AskingRule, approver: Approver): boolean {
  if (!approver.perms.includes('approvals.decide')) return false;
  return people.includes(approver.userId) || roles.some((role) => approver.roles.includes(role));
}

/** Whether any of the rules counts a person's approval. */
export function mayApprove(rules: readonly AskingRule[], approver: Approver): boolean {
  return rules.some((rule) => counts(rule, approver));
}

/** The rules of a request: those of when it was made, together with those of now. Whichever is stricter holds. */
export function rulesOf({
  rules,
  covering,
}: {
  rules: readonly AskingRule[];
  covering: readonly AskingRule[];
}): AskingRule[] {
  return [...rules, ...covering];
}

/** Whether every rule has the approvals that it asks for. */
export function isSatisfied(rules: readonly AskingRule[], approvers: readonly Approver[]): boolean {
  return missingOf(rules, approvers) === 0;
}

/**
 * The approvals that a person reads as needed: those that are there, and those that are missing at least. A rule for other people
 * may still ask for one that the number does not show yet.
 */
export function approvalsNeeded(rules: readonly AskingRule[], approvers: readonly Approver[]): number {
  return approvers.length + missingOf(rules, approvers);
}

/** How many approvals the rule that misses most still needs. */
function missingOf(rules: readonly AskingRule[], approvers: readonly Approver[]): number {
  return Math.max(
    0,
    ...rules.map((rule) => rule.approvers - approvers.filter((approver) => counts(rule, approver)).length),
  );
}
