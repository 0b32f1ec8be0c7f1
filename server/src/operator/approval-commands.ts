import { approverRoles, isSettingKind, type RuleKind, ruleKinds } from '@hengfu/contract/approval-rules';
import { type Currency, formatAmount } from '@hengfu/contract/money';
import { type Command, InvalidArgumentError } from 'commander';
import { accessQuestion, breakGlassOption, onceAgreed } from './four-eyes.ts';
import type { Run } from './operator.ts';
import { amountIn, oneOf, reasonOption } from './parse.ts';

/** Adds the commands for approvals: for merchants who have lost the people whom their rules name. */
export function approvalCommands(program: Command, run: Run): void {
  const approval = program
    .command('approval')
    .description('requests for approval, and the rules that ask for it');
  addRequests(approval, run);
  addRules(approval, run);
}

function addRequests(approval: Command, run: Run): void {
  approval
    .command('list')
    .description('list the requests of a merchant that wait for approval, newest first')
    .requiredOption('--merchant <code>', 'merchant')
    .action(({ merchant }) =>
      run(async ({ services, merchants }) => {
        const { id } = await merchants.find(merchant);
        return {
          rows: (await services.approvals.waitingOf(id)).map((asked) => ({
            request_no: asked.request_no,
            kind: asked.kind,
            order: asked.subject_no ?? '–',
            amount: asked.amount_minor === null ? '–' : formatAmount(asked.amount_minor, asked.currency),
            requested_by: asked.requester_name ?? asked.requested_by,
            created_at: asked.created_at.toISOString(),
            expires_at: asked.expires_at.toISOString(),
          })),
        };
      }),
    );
  approval
    .command('refuse <request_no>')
    .description(
      'refuse a request; its order is rejected, and the funds return. Nobody can approve on behalf of a merchant',
    )
    .requiredOption('--merchant <code>', 'merchant')
    .requiredOption('--reason <text>', 'why; the merchant sees it', reasonOption)
    .action((requestNo, { merchant, reason }) =>
      run(async ({ services, merchants, actor }) => {
        const { id } = await merchants.find(merchant);
        await services.approvals.refuseFor(id, requestNo, actor, reason);
        return { done: `${requestNo} is refused.` };
      }),
    );
}

function addRules(approval: Command, run: Run): void {
  approval
    .command('rules')
    .description('show the approval rules of a merchant')
    .requiredOption('--merchant <code>', 'merchant')
    .action(({ merchant }) =>
      run(async ({ services, merchants }) => {
        const { id, currency } = await merchants.find(merchant);
        const { rules } = await services.approvalRules.read(id);
        const emails = await services.approvalRules.emails(id);
        return {
          rows: rules.map(({ kind, amountMinor, approvers, roles, people }) => ({
            kind,
            from: isSettingKind(kind) ? '–' : formatAmount(BigInt(amountMinor), currency),
            approvers,
            roles: roles.join(' '),
            people: people.map((each) => emails.get(each) ?? each).join(' '),
          })),
        };
      }),
    );
  addRuleSet(approval, run);
  addRulesClear(approval, run);
}

function addRuleSet(approval: Command, run: Run): void {
  approval
    .command('rule-set')
    .description(
      'add a rule of a merchant, or replace the one of the same kind and amount, without approval by the merchant, once somebody in ' +
        'the back office agrees',
    )
    .requiredOption('--merchant <code>', 'merchant')
    .requiredOption('--kind <kind>', ruleKinds.join(' or '), oneOf(ruleKinds))
    .option(
      '--from <amount>',
      'covers orders of this amount and above; 0 for all of them. Settings have none',
    )
    .option('--approvers <count>', 'how many people have to approve (1 to 3)', approversOption, 1)
    .requiredOption('--role <role>', approverRoles.join(' or '), oneOf(approverRoles))
    .addOption(breakGlassOption())
    .action((options) =>
      run(async (context) => {
        const { approvalRules } = context.services;
        const found = await context.merchants.find(options.merchant);
        const amountMinor = String(amountIn(amountOption(options), found.currency));
        const { rules, days } = await approvalRules.read(found.id);
        const others = rules.filter((rule) => rule.kind !== options.kind || rule.amountMinor !== amountMinor);
        const rule = {
          kind: options.kind,
          amountMinor,
          approvers: options.approvers,
          roles: [options.role],
          people: [],
        };
        const after = [...others, rule];
        const emails = await approvalRules.emails(found.id);
        const texts = [rules, after].map((each) => ruleTexts(each, found.currency, emails));
        const facts = [{ name: 'rules', before: texts[0] ?? null, after: texts[1] ?? null }] as const;
        const question = accessQuestion(found, { command: 'approval rule-set', facts });
        return onceAgreed(context, question, options.breakGlass, async () => {
          await approvalRules.setFor(found.id, context.actor, { rules: after, days });
          return { done: `The rule of ${options.merchant} applies from now on.` };
        });
      }),
    );
}

function addRulesClear(approval: Command, run: Run): void {
  approval
    .command('rules-clear')
    .description(
      'remove all rules of a merchant that has lost its approvers, once somebody in the back office agrees; orders that wait still need ' +
        'the approval they were asked for',
    )
    .requiredOption('--merchant <code>', 'merchant')
    .addOption(breakGlassOption())
    .action(({ merchant, breakGlass }) =>
      run(async (context) => {
        const { approvalRules } = context.services;
        const found = await context.merchants.find(merchant);
        const { rules, days } = await approvalRules.read(found.id);
        const emails = await approvalRules.emails(found.id);
        const before = ruleTexts(rules, found.currency, emails);
        const facts = [{ name: 'rules', before, after: null }] as const;
        const question = accessQuestion(found, { command: 'approval rules-clear', facts });
        return onceAgreed(context, question, breakGlass, async () => {
          await approvalRules.setFor(found.id, context.actor, { rules: [], days });
          return { done: `${merchant} has no approval rules from now on.` };
        });
      }),
    );
}

/** The part of a rule that the second person reads. */
interface ShownRule {
  kind: RuleKind;
  amountMinor: string;
  approvers: number;
  roles: readonly string[];
  people: readonly string[];
}

/** Describes rules for the second person, who reads them in one fact. */
function ruleTexts(
  rules: readonly ShownRule[],
  currency: Currency,
  emails: ReadonlyMap<string, string>,
): string | null {
  const text = ({ kind, amountMinor, approvers, roles, people }: ShownRule) =>
    [
      kind,
      ...(isSettingKind(kind) ? [] : [`${formatAmount(BigInt(amountMinor), currency)} ${currency}`]),
      `${approvers} × ${[...roles, ...people.map((id) => emails.get(id) ?? `user:${id}`)].join('/')}`,
    ].join(' ');
  return rules.length === 0 ? null : rules.map(text).join('; ');
}

/** The amount of a rule: an order needs one, and settings have none. */
function amountOption({ kind, from }: { kind: RuleKind; from?: string }): string {
  if (isSettingKind(kind) !== (from === undefined))
    throw new InvalidArgumentError(`a rule of this kind ${from === undefined ? 'needs' : 'has no'} --from`);
  return from ?? '0';
}

function approversOption(text: string): number {
  if (!/^[123]$/.test(text)) throw new InvalidArgumentError('1, 2 or 3');
  return Number(text);
}
