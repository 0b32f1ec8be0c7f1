import type { Currency } from '@hengfu/contract/money';
import { settlementCycles, weekdays } from '@hengfu/contract/staff/limits';
import { type Command, InvalidArgumentError } from 'commander';
import type { Limits } from '../features/merchants/settings/limits.requests.ts';
import { breakGlassOption, doneOrAsked } from './four-eyes.ts';
import type { Run } from './operator.ts';
import { amountIn, noteOption, oneOf, timeOption } from './parse.ts';

const merchantOption = ['--merchant <code>', 'merchant'] as const;
const reason = ['--reason <text>', 'reason, for the second person who has to agree', noteOption] as const;

/** Adds the commands that set the limits and settlement cycles of merchants. */
export function merchantSettingsCommands(program: Command, run: Run): void {
  addLimits(program, run);
  addCycle(program, run);
}

function addLimits(program: Command, run: Run): void {
  program
    .command('limits')
    .description(
      'limits of a merchant’s orders, in its currency, set once somebody in the back office agrees',
    )
    .argument('<action>', 'set', oneOf(['set']))
    .requiredOption(...merchantOption)
    .option('--payout <amount>', 'highest amount of a payout, or “none”; as before if absent')
    .option('--payouts-of-day <amount>', 'highest sum of a day’s payouts, or “none”; as before if absent')
    .option(
      '--withdrawals-of-day <amount>',
      'highest sum of a day’s withdrawals, or “none”; as before if absent',
    )
    .option('--collection <amount>', 'highest amount of a collection, or “none”; as before if absent')
    .option(...reason)
    .addOption(breakGlassOption())
    .addHelpText(
      'after',
      `
Orders that exist are not affected. A day begins at midnight of the merchant’s time zone.

Example: limits set --merchant acme --payout 5000 --payouts-of-day none --reason "new contract"`,
    )
    .action((_action, options) =>
      run(async ({ withStaff, actor }) => {
        const { merchant, reason = '', breakGlass, ...amounts } = options;
        const { payout, payoutsOfDay, withdrawalsOfDay, collection } = amounts;
        if ([payout, payoutsOfDay, withdrawalsOfDay, collection].every((amount) => amount === undefined))
          throw new InvalidArgumentError('name at least one limit');
        const toLimits = (currency: Currency, seen: Limits): Limits => ({
          payout: limitOf(payout, seen.payout, currency),
          payoutsOfDay: limitOf(payoutsOfDay, seen.payoutsOfDay, currency),
          withdrawalsOfDay: limitOf(withdrawalsOfDay, seen.withdrawalsOfDay, currency),
          collection: limitOf(collection, seen.collection, currency),
        });
        const request = await withStaff(({ services: { merchantLimits } }) =>
          merchantLimits.ask(merchant, actor, toLimits, { reason, breakGlass }),
        );
        return doneOrAsked(request, `The limits of ${merchant} apply to new orders from now on.`);
      }),
    );
}

/** Reads a limit as an option has it: an amount above zero, or “none”. Without the option, the limit stays. */
function limitOf(text: string | undefined, seen: bigint | null, currency: Currency): bigint | null {
  if (text === undefined) return seen;
  if (text === 'none') return null;
  const amountMinor = amountIn(text, currency);
  if (amountMinor <= 0n) throw new InvalidArgumentError('a limit is above zero; “none” removes it');
  return amountMinor;
}

function addCycle(program: Command, run: Run): void {
  program
    .command('settlement-cycle')
    .description('when a merchant is settled, set once somebody in the back office agrees')
    .argument('<action>', 'set', oneOf(['set']))
    .requiredOption(...merchantOption)
    .requiredOption(
      '--cycle <cycle>',
      'daily, workdays (Monday to Friday) or weekly',
      oneOf(settlementCycles),
    )
    .option('--weekday <day>', 'day of a weekly cycle, such as friday', oneOf(weekdays))
    .option('--cut-off <HH:MM>', 'cut-off time, in the merchant’s time zone; as before if absent', timeOption)
    .option(...reason)
    .addOption(breakGlassOption())
    .addHelpText(
      'after',
      `
The cut-off that is planned stays. The new cycle counts from then on.

Example: settlement-cycle set --merchant acme --cycle weekly --weekday friday --cut-off 18:30`,
    )
    .action((_action, options) =>
      run(async ({ withStaff, actor }) => {
        const { merchant, cycle, weekday = null, cutOff, reason = '', breakGlass } = options;
        if ((cycle === 'weekly') !== (weekday !== null))
          throw new InvalidArgumentError('--weekday belongs to the weekly cycle, and to no other one');
        const request = await withStaff(({ services: { settlementCycles: cycles } }) =>
          cycles.ask(merchant, actor, { cycle, weekday, cutOff }, { reason, breakGlass }),
        );
        return doneOrAsked(
          request,
          `The settlement cycle of ${merchant} counts from its next cut-off on, which stays as planned.`,
        );
      }),
    );
}
