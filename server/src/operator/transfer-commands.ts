import type { Command } from 'commander';
import type { Run } from './operator.ts';
import { amountIn } from './parse.ts';

/** Adds the command that moves funds from one merchant to another. */
export function transferCommands(program: Command, run: Run): void {
  program
    .command('transfer')
    .description('move available funds from one merchant to another of the same currency')
    .requiredOption('--from <code>', 'merchant to take funds from')
    .requiredOption('--to <code>', 'merchant to add funds to')
    .requiredOption('--amount <amount>', 'in their local currency')
    .option(
      '--key <text>',
      'idempotency key: a repeat with the same key moves nothing and returns the first transfer',
    )
    .option('--note <text>', 'reason, for the audit trail')
    .action(({ from: fromCode, to: toCode, amount, key, note }) =>
      run(async ({ merchants, services, actor }) => {
        const [from, to] = [await merchants.find(fromCode), await merchants.find(toCode)];
        const amountMinor = amountIn(amount, from.currency);
        const number = await services.fundsTransfers.transfer({ from, to, amountMinor, key, note }, actor);
        return {
          done: `${amount} ${from.currency} moved from ${fromCode} to ${toCode}: ${number}.`,
          facts: { transfer_no: number },
        };
      }),
    );
}
