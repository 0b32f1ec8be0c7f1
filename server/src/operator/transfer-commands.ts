import { formatAmount } from '@hengfu/contract/money';
import type { Command } from 'commander';
import { breakGlassOption, onceAgreed } from './four-eyes.ts';
import type { Run } from './operator.ts';
import { amountIn, noteOption } from './parse.ts';

/** Adds the command that moves funds from one merchant to another. */
export function transferCommands(program: Command, run: Run): void {
  program
    .command('transfer')
    .description(
      'move available funds from one merchant to another of the same currency, once somebody in the back office agrees',
    )
    .requiredOption('--from <code>', 'merchant to take funds from')
    .requiredOption('--to <code>', 'merchant to add funds to')
    .requiredOption('--amount <amount>', 'in their local currency')
    .requiredOption(
      '--key <text>',
      'idempotency key of your choice, such as the number of a ticket: a repeat with the same key moves nothing and returns the first transfer',
    )
    .option('--note <text>', 'reason, for the second person and the audit trail', noteOption)
    .addOption(breakGlassOption())
    .action(({ from: fromCode, to: toCode, amount, key, note, breakGlass }) =>
      run(async (context) => {
        const { merchants, services, actor } = context;
        const [from, to] = [await merchants.find(fromCode), await merchants.find(toCode)];
        const amountMinor = amountIn(amount, from.currency);
        const transfer = { from, to, amountMinor, key, note };
        services.fundsTransfers.check(transfer);
        // Looked up before a second person has to agree, and before a permit is used.
        const earlier = await services.fundsTransfers.findEarlier(transfer);
        if (earlier !== undefined)
          return {
            done: `Nothing has moved now: this transfer was made before under the same key: ${earlier}.`,
            facts: { transfer_no: earlier },
          };
        const total = `${formatAmount(amountMinor, from.currency)} ${from.currency}`;
        const question = {
          kind: 'fundsTransfer',
          merchantId: from.id,
          subject: `${from.code} ${to.code}`,
          change: { from: from.code, to: to.code, amount: total, key, note },
          facts: [
            { name: 'fromMerchant', before: null, after: `${from.name} (${from.code})` },
            { name: 'toMerchant', before: null, after: `${to.name} (${to.code})` },
            { name: 'amount', before: null, after: total },
            { name: 'idempotencyKey', before: null, after: key },
          ],
          reason: note ?? '',
        } as const;
        return onceAgreed(context, question, breakGlass, async () => {
          const number = await services.fundsTransfers.transfer(transfer, actor);
          return {
            done: `${amount} ${from.currency} moved from ${fromCode} to ${toCode}: ${number}.`,
            facts: { transfer_no: number },
          };
        });
      }),
    );
}
