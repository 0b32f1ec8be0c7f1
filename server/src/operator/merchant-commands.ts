import { randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import type { Run } from './operator.ts';
import { blockOption, currencyOption, oneOf, roleOption, timeOption, zoneOption } from './parse.ts';

/** Merchants, their people, keys and addresses. */
export function merchantCommands(program: Command, run: Run): void {
  addMerchant(program, run);
  addUser(program, run);
  addAccess(program, run);
}

function addMerchant(program: Command, run: Run): void {
  const merchant = program.command('merchant').description('the merchants of the service');
  merchant
    .command('create')
    .description('a new merchant')
    .requiredOption('--code <code>', 'short name, as in URLs: lower-case letters, digits and -')
    .requiredOption('--name <name>', 'name that people read')
    .requiredOption('--currency <code>', 'home currency', currencyOption)
    .requiredOption('--zone <zone>', 'IANA zone', zoneOption)
    .option('--cut-off <HH:MM>', 'local time of the daily settlement', timeOption, '00:00')
    .action((options) =>
      run(async ({ merchants }) => {
        await merchants.create(options);
        return { done: `Merchant ${options.code} created.`, facts: { code: options.code } };
      }),
    );
  merchant
    .command('two-factor')
    .description('whether a merchant’s people must bind a second factor before anything else opens to them')
    .argument('<rule>', 'required or free', oneOf(['required', 'free']))
    .requiredOption('--merchant <code>', 'merchant')
    .action((rule, options) =>
      run(async ({ merchants }) => {
        const { id } = await merchants.find(options.merchant);
        await merchants.requireTwoFactor(id, rule === 'required');
        return { done: `Two-factor authentication is ${rule} at ${options.merchant}.` };
      }),
    );
  merchant
    .command('list')
    .description('all merchants')
    .action(() => run(async ({ merchants }) => ({ rows: await merchants.list() })));
}

function addUser(program: Command, run: Run): void {
  const user = program.command('user').description('people who sign in to the console');
  user
    .command('create')
    .description('a new user of a merchant')
    .requiredOption('--merchant <code>', 'merchant')
    .requiredOption('--email <email>', 'sign-in name')
    .requiredOption('--name <name>', 'name that people read')
    .requiredOption('--role <role>', 'ROOT, MERCHANT_ADMIN or MERCHANT_VIEWER', roleOption)
    .requiredOption('--password <password>', 'at least 8 characters', passwordOption)
    .action((options) =>
      run(async ({ merchants }) => {
        const { id } = await merchants.find(options.merchant);
        const { email, name, password, role } = options;
        await merchants.createUser(id, { email, name, password, roles: [role] });
        return { done: `User ${email} created.`, facts: { email } };
      }),
    );
  addUserHelp(user, run);
  user
    .command('list')
    .description('users of a merchant, or all')
    .option('--merchant <code>', 'merchant')
    .action((options) =>
      run(async ({ merchants }) => {
        const of = options.merchant ? (await merchants.find(options.merchant)).id : undefined;
        return { rows: await merchants.listUsers(of) };
      }),
    );
}

function addUserHelp(user: Command, run: Run): void {
  const email = ['--email <email>', 'sign-in name'] as const;
  user
    .command('unlock')
    .description('open an account again after too many wrong passwords or codes')
    .requiredOption(...email)
    .action((options) =>
      run(async ({ users }) => {
        await users.unlock(options.email);
        return { done: `${options.email} may sign in again.` };
      }),
    );
  user
    .command('unlock-code')
    .description('a code for the owner of an account that others keep locked: good once, for half an hour')
    .requiredOption(...email)
    .action((options) =>
      run(async ({ users }) => {
        const code = await users.makeUnlockCode(options.email);
        return {
          done: `Unlock code ${code}\nGive it to the owner alone, who types it beside the password.`,
          facts: { code },
        };
      }),
    );
  user
    .command('reset-two-factor')
    .description('forget the second factors of somebody who has lost them, once you know who is asking')
    .requiredOption(...email)
    .action((options) =>
      run(async ({ users }) => {
        await users.resetTwoFactor(options.email);
        return {
          done: `${options.email} signs in by the password alone until a second factor is bound again.`,
        };
      }),
    );
  user
    .command('sign-out')
    .description('end every session of a user')
    .requiredOption(...email)
    .action((options) =>
      run(async ({ users }) => {
        await users.signOut(options.email);
        return { done: `${options.email} is signed out everywhere.` };
      }),
    );
}

function addAccess(program: Command, run: Run): void {
  program
    .command('access-key')
    .description('access keys of the Open API')
    .argument('<action>', 'add', oneOf(['add']))
    .requiredOption('--merchant <code>', 'merchant')
    .action((_action, options) =>
      run(async ({ merchants }) => {
        const { id, code } = await merchants.find(options.merchant);
        const key = {
          id: `ak_${code}_${randomBytes(6).toString('hex')}`,
          secret: `sk_${randomBytes(24).toString('hex')}`,
        };
        await merchants.addAccessKey(id, key.id, key.secret);
        return { done: `Key ${key.id}\nSecret ${key.secret}\nThe secret is shown this once.`, facts: key };
      }),
    );
  program
    .command('ip-address')
    .description('addresses that a merchant’s programs may call from; none refuses every call')
    .argument('<action>', 'set', oneOf(['set']))
    .requiredOption('--merchant <code>', 'merchant')
    .option('--allow <address>', 'address or CIDR block; may be given several times', blockOption, [])
    .action((_action, options) =>
      run(async ({ merchants }) => {
        const { id } = await merchants.find(options.merchant);
        await merchants.setAllowedAddresses(id, options.allow);
        return { done: `${options.allow.length} addresses may call.`, facts: { allow: options.allow } };
      }),
    );
}

const shortestPassword = 8;

function passwordOption(text: string): string {
  if (text.length < shortestPassword) throw new Error('The password needs at least 8 characters.');
  return text;
}
