import { approverRoles, isSettingKind, type RuleKind, ruleKinds } from '@hengfu/contract/approval-rules';
import { formatAmount } from '@hengfu/contract/money';
import { type Command, InvalidArgumentError } from 'commander';
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
        return {
          rows: rules.map(({ kind, amountMinor, approvers, roles, people }) => ({
            kind,
            from: isSettingKind(kind) ? '–' : formatAmount(BigInt(amountMinor), currency),
            approvers,
            roles: roles.join(' '),
            people: people.join(' '),
          })),
        };
      }),
    );
  approval
    .command('rule-set')
    .description(
      'add a rule of a merchant, or replace the one of the same kind and amount, without approval by the merchant',
    )
    .requiredOption('--merchant <code>', 'merchant')
    .requiredOption('--kind <kind>', ruleKinds.join(' or '), oneOf(ruleKinds))
    .option(
      '--from <amount>',
      'covers orders of this amount and above; 0 for all of them. Settings have none',
    )
    .option('--approvers <count>', 'how many people have to approve (1 to 3)', approversOption, 1)
    .requiredOption('--role <role>', approverRoles.join(' or '), oneOf(approverRoles))
    .action((options) =>
      run(async ({ services, merchants, actor }) => {
        const { id, currency } = await merchants.find(options.merchant);
        const amountMinor = String(amountIn(amountOption(options), currency));
        const { rules, days } = await services.approvalRules.read(id);
        const others = rules.filter((rule) => rule.kind !== options.kind || rule.amountMinor !== amountMinor);
        const rule = {
          kind: options.kind,
          amountMinor,
          approvers: options.approvers,
          roles: [options.role],
          people: [],
        };
        await services.approvalRules.setFor(id, actor, { rules: [...others, rule], days });
        return { done: `The rule of ${options.merchant} applies from now on.` };
      }),
    );
  approval
    .command('rules-clear')
    .description(
      'remove all rules of a merchant that has lost its approvers; orders that wait still need the approval they were asked for',
    )
    .requiredOption('--merchant <code>', 'merchant')
    .action(({ merchant }) =>
      run(async ({ services, merchants, actor }) => {
        const { id } = await merchants.find(merchant);
        const { days } = await services.approvalRules.read(id);
        await services.approvalRules.setFor(id, actor, { rules: [], days });
        return { done: `${merchant} has no approval rules from now on.` };
      }),
    );
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
