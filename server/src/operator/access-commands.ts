import { keyScopes } from '@hengfu/contract/key-scopes';
import type { RequestFact } from '@hengfu/contract/staff/requests';
import type { Command } from 'commander';
import { freshKey } from '../features/access-key/new-key.ts';
import type { KeyToAdd } from '../features/merchants/merchants.service.ts';
import { accessQuestion, breakGlassOption, onceAgreed } from './four-eyes.ts';
import type { Run } from './operator.ts';
import { blockOption, keyNameOption, momentOption, oneOf, scopesOption } from './parse.ts';

/** Adds the commands for the access of merchants' systems: keys and IP whitelists. */
export function accessCommands(program: Command, run: Run): void {
  program
    .command('access-key')
    .description('create an access key for the Open API, once somebody in the back office agrees')
    .argument('<action>', 'add', oneOf(['add']))
    .requiredOption('--merchant <code>', 'merchant')
    .option('--name <text>', 'name of the key', keyNameOption)
    .option(
      '--scope <scope>',
      `${keyScopes.join(', ')}; can be repeated; all of them without it`,
      scopesOption,
    )
    .option(
      '--allow <address>',
      'IP address or CIDR block within the whitelist that the key may be used from; can be repeated',
      blockOption,
    )
    .option('--expires <moment>', 'when the key expires, such as 2027-01-31T00:00:00Z', momentOption)
    .addOption(breakGlassOption())
    .action((_action, { merchant, name, scope: scopes, allow: addresses, expires: endsAt, ...options }) =>
      run(async (context) => {
        const found = await context.merchants.find(merchant);
        if (endsAt !== undefined && endsAt.getTime() <= Date.now())
          throw new Error('--expires lies in the past.');
        const limits = {
          ...(name !== undefined && { name }),
          ...(scopes !== undefined && { scopes }),
          ...(addresses !== undefined && { addresses }),
          ...(endsAt !== undefined && { endsAt }),
        };
        const question = accessQuestion(found, { command: 'access-key add', facts: factsOf(limits) });
        return onceAgreed(context, question, options.breakGlass, async () => {
          const { keyId: id, secret } = freshKey({ code: found.code, mode: 'live' });
          await context.merchants.addAccessKey(found.id, id, secret, limits);
          return {
            done: [`Key ${id}`, `Secret ${secret}`, 'The secret is shown only once.'],
            facts: { id, secret },
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

/** Returns the name and limits of a key that is to be added, as the second person reads them. */
function factsOf({ name, scopes = keyScopes, addresses, endsAt }: KeyToAdd): RequestFact[] {
  return [
    ...(name === undefined ? [] : [{ name: 'name', before: null, after: name } as const]),
    { name: 'scopes', before: null, after: scopes.join(', ') },
    ...(addresses ? [{ name: 'allowedAddresses', before: null, after: addresses.join(', ') } as const] : []),
    ...(endsAt ? [{ name: 'expiresAt', before: null, after: endsAt.toISOString() } as const] : []),
  ];
}
