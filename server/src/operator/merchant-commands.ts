import type { Command } from 'commander';
import type { Run } from './operator.ts';
import { currencyOption, oneOf, timeOption, zoneOption } from './parse.ts';

/** Adds the commands for merchants. */
export function merchantCommands(program: Command, run: Run): void {
  const merchant = program.command('merchant').description('merchants of the service');
  merchant
    .command('create')
    .description('create a merchant')
    .requiredOption('--code <code>', 'short name for URLs: lowercase letters, digits and hyphens')
    .requiredOption('--name <name>', 'display name')
    .requiredOption('--currency <code>', 'local currency', currencyOption)
    .requiredOption('--zone <zone>', 'IANA time zone', zoneOption)
    .option(
      '--cut-off <HH:MM>',
      'daily settlement cut-off time, in the merchant’s time zone',
      timeOption,
      '00:00',
    )
    .action((options) =>
      run(async ({ merchants }) => {
        await merchants.create(options);
        return { done: `Merchant ${options.code} created.`, facts: { code: options.code } };
      }),
    );
  merchant
    .command('two-factor')
    .description('require two-factor authentication of a merchant’s users, or make it optional')
    .argument('<rule>', 'required or free (optional)', oneOf(['required', 'free']))
    .requiredOption('--merchant <code>', 'merchant')
    .action((rule, options) =>
      run(async ({ merchants }) => {
        const { id } = await merchants.find(options.merchant);
        const without = await merchants.requireTwoFactor(id, rule === 'required');
        const done: [string, ...string[]] = [
          `Two-factor authentication is ${rule === 'required' ? 'required' : 'optional'} for ${options.merchant}.`,
        ];
        if (without.length > 0)
          done.push(
            'These users have no second factor yet. To bind one, each needs a code from “user enrolment-code”:',
            ...without.map((email) => `  ${email}`),
          );
        return { done, facts: { without } };
      }),
    );
  merchant
    .command('list')
    .description('list all merchants')
    .action(() => run(async ({ merchants }) => ({ rows: await merchants.list() })));
}
