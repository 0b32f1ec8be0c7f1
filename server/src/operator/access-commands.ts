import { randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import { accessQuestion, breakGlassOption, onceAgreed } from './four-eyes.ts';
import type { Run } from './operator.ts';
import { blockOption, oneOf } from './parse.ts';

/** Adds the commands for the access of merchants' systems: keys and IP whitelists. */
export function accessCommands(program: Command, run: Run): void {
  program
    .command('access-key')
    .description('create an access key for the Open API, once somebody in the back office agrees')
    .argument('<action>', 'add', oneOf(['add']))
    .requiredOption('--merchant <code>', 'merchant')
    .addOption(breakGlassOption())
    .action((_action, options) =>
      run(async (context) => {
        const found = await context.merchants.find(options.merchant);
        const question = accessQuestion(found, { command: 'access-key add' });
        return onceAgreed(context, question, options.breakGlass, async () => {
          const key = {
            id: `ak_${found.code}_${randomBytes(6).toString('hex')}`,
            secret: `sk_${randomBytes(24).toString('hex')}`,
          };
          await context.merchants.addAccessKey(found.id, key.id, key.secret);
          return {
            done: [`Key ${key.id}`, `Secret ${key.secret}`, 'The secret is shown only once.'],
            facts: key,
          };
        });
      }),
    );
  program
    .command('ip-address')
    .description(
      'set the IP whitelist of a merchant, once somebody in the back office agrees; an empty whitelist blocks every signed request',
    )
    .argument('<action>', 'set', oneOf(['set']))
    .requiredOption('--merchant <code>', 'merchant')
    .option('--allow <address>', 'IP address or CIDR block; can be repeated', blockOption, [])
    .option('--confirm-open', 'accept blocks that cover a large part of the internet, such as 0.0.0.0/0')
    .option('--confirm-closed', 'accept a whitelist that is empty, or blocks every caller of the last 7 days')
    .addOption(breakGlassOption())
    .action((_action, options) =>
      run(async (context) => {
        const { merchants } = context;
        const found = await merchants.find(options.merchant);
        const { allow, confirmOpen, confirmClosed, breakGlass } = options;
        const listed = (blocks: readonly string[]) => blocks.join(', ') || '–';
        const asSeen = await merchants.allowedAddresses(found.id);
        const [before, after] = [listed(asSeen), listed(allow)];
        const facts = [{ name: 'allowedAddresses', before, after }] as const;
        const question = accessQuestion(found, { command: 'ip-address set', facts });
        return onceAgreed(context, question, breakGlass, async () => {
          await merchants.setAllowedAddresses(found.id, allow, { confirmOpen, confirmClosed, asSeen });
          return { done: `The IP whitelist now has ${allow.length} entries.`, facts: { allow } };
        });
      }),
    );
}
