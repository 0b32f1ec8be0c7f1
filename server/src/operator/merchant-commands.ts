import type { Command } from 'commander';
import { accessQuestion, breakGlassOption, onceAgreed } from './four-eyes.ts';
import type { CommandContext, Run } from './operator.ts';
import { currencyOption, oneOf, timeOption, zoneOption } from './parse.ts';
import type { Answer } from './print.ts';

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
    .description(
      'require two-factor authentication of a merchant’s users, or make it optional, once somebody in the back office agrees',
    )
    .argument('<rule>', 'required or free (optional)', oneOf(['required', 'free']))
    .requiredOption('--merchant <code>', 'merchant')
    .addOption(breakGlassOption())
    .action((rule, { merchant, breakGlass }) =>
      run(async (context) => {
        const found = await context.merchants.find(merchant);
        const isRequired = rule === 'required';
        const set = () => setTwoFactor(context, found, isRequired);
        // A stricter rule gives nobody access.
        if (isRequired) return set();
        return onceAgreed(
          context,
          accessQuestion(found, { command: 'merchant two-factor free' }),
          breakGlass,
          set,
        );
      }),
    );
  merchant
    .command('list')
    .description('list all merchants')
    .action(() => run(async ({ merchants }) => ({ rows: await merchants.list() })));
}

async function setTwoFactor(
  { merchants }: Pick<CommandContext, 'merchants'>,
  { id, code }: { id: bigint; code: string },
  isRequired: boolean,
): Promise<Answer> {
  const without = await merchants.requireTwoFactor(id, isRequired);
  const done: [string, ...string[]] = [
    `Two-factor authentication is ${isRequired ? 'required' : 'optional'} for ${code}.`,
  ];
  if (without.length > 0)
    done.push(
      'These users have no second factor yet. To bind one, each needs a code from “user enrolment-code”:',
      ...without.map((email) => `  ${email}`),
    );
  return { done, facts: { without } };
}
