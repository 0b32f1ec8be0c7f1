import type { Command } from 'commander';
import type { Run } from './operator.ts';
import { amountIn } from './parse.ts';

/** Funds from one merchant to another. */
export function transferCommands(program: Command, run: Run): void {
  program
    .command('transfer')
    .description('move available funds from one merchant to another of the same currency')
    .requiredOption('--from <code>', 'merchant that gives')
    .requiredOption('--to <code>', 'merchant that gets')
    .requiredOption('--amount <amount>', 'in their home currency')
    .option('--key <text>', 'makes a second transfer under the same key impossible')
    .option('--note <text>', 'why, for the trail')
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
