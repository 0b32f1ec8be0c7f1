import * as z from 'zod';
import { authorization } from './authorization.ts';
import { amount, amountInput } from './money.ts';
import { permsOf, type Role, roles } from './permissions.ts';
import { phrase } from './phrase.ts';

/** Kinds of orders that can wait for approval. */
export const orderKinds = ['payout', 'withdrawal', 'batch', 'refund'] as const;
export type OrderKind = (typeof orderKinds)[number];

/** The kinds whose rules have no amount, because they cover changes of settings. */
export const settingKinds = ['access', 'team'] as const;
export type SettingKind = (typeof settingKinds)[number];

/**
 * Kinds of rules. Rules for payouts cover the total of a batch as well. Those of `payee` cover payouts, withdrawals and rows of a batch
 * that go to an account which the merchant does not know yet. `access`: the access key, its callback URL and the IP whitelist. `team`:
 * invitations, new roles, and the return of suspended members.
 */
export const ruleKinds = [...orderKinds, 'payee', ...settingKinds] as const;
export type RuleKind = (typeof ruleKinds)[number];

/** Whether a rule covers changes of settings, and no orders. */
export function isSettingKind(kind: string): kind is SettingKind {
  return settingKinds.some((known) => known === kind);
}

/** The most approvers that a rule can ask for. */
export const maxApprovers = 3;
/** The most rules of a merchant, and the most people whom one rule can name. */
export const maxRules = 20;
export const maxPeopleOfRule = 20;
/** The longest time until a request expires, in days. */
export const maxApprovalDays = 30;

/** The roles that may approve. */
export const approverRoles = roles.filter((role) => permsOf([role]).includes('approvals.decide'));

/**
 * A rule: orders of a kind, from an amount on, or changes of some settings wait for a number of approvers, who have one of the roles or
 * are named.
 */
export const approvalRule = z.object({
  kind: z.enum(ruleKinds),
  /** Covers this amount and above; zero covers every order. In the merchant's currency. Zero for settings. */
  amount,
  approvers: z.number().int(),
  roles: z.array(z.enum(roles)),
  people: z.array(z.object({ id: z.string(), name: z.string() })),
});
export type ApprovalRule = z.output<typeof approvalRule>;

const personId = z.string().regex(/^[1-9]\d{0,17}$/, phrase('validation.choice'));

/** A rule as a person sets it. */
export const approvalRuleInput = z
  .strictObject({
    kind: z.enum(ruleKinds, phrase('validation.choice')),
    amount: amountInput,
    approvers: z
      .number(phrase('validation.choice'))
      .int(phrase('validation.choice'))
      .min(1, phrase('validation.choice'))
      .max(maxApprovers, phrase('validation.choice')),
    roles: z
      .array(z.enum(approverRoles as [Role, ...Role[]], phrase('validation.choice')))
      .max(approverRoles.length, phrase('validation.choice')),
    people: z.array(personId).max(maxPeopleOfRule, phrase('validation.choice')),
  })
  .refine(({ roles: chosen, people }) => chosen.length + people.length > 0, {
    error: phrase('validation.approversRequired'),
    path: ['roles'],
  });
export type ApprovalRuleInput = z.output<typeof approvalRuleInput>;

/** Days after which a request expires. */
const days = z
  .number(phrase('validation.choice'))
  .int(phrase('validation.choice'))
  .min(1, phrase('validation.choice'))
  .max(maxApprovalDays, phrase('validation.choice'));

/** All rules of a merchant, and the days after which requests expire. */
export const approvalRules = z.object({ rules: z.array(approvalRule), days: z.number().int() });
export type ApprovalRules = z.output<typeof approvalRules>;

/** Somebody who may be named in a rule. */
export const possibleApprover = z.object({ id: z.string(), name: z.string() });

/** Body of a change of the rules. */
export const setRules = z.strictObject({
  rules: z.array(approvalRuleInput).max(maxRules, phrase('validation.tooManyRules')),
  days,
  /** The version of the rules that the person has changed: the call is refused if they have changed since. */
  version: z.string().max(64).optional(),
  ...authorization,
});
export type SetRules = z.output<typeof setRules>;
