import { randomBytes } from 'node:crypto';
import { enrolmentCodeHours } from '@hengfu/contract/authentication';
import { roles } from '@hengfu/contract/permissions';
import { emailAddress } from '@hengfu/contract/session';
import { invitationHours } from '@hengfu/contract/team';
import type { Command } from 'commander';
import { operatorActor } from '../features/team/team.actor.ts';
import { addressOf } from '../process/url-file.ts';
import type { Run } from './operator.ts';
import {
  blockOption,
  currencyOption,
  oneOf,
  roleOption,
  rolesOption,
  timeOption,
  zoneOption,
} from './parse.ts';
import { readPassword } from './password.ts';

/** Adds the commands for merchants, their users, access keys and IP whitelists. */
export function merchantCommands(program: Command, run: Run): void {
  addMerchant(program, run);
  addUser(program, run);
  addAccess(program, run);
}

function addMerchant(program: Command, run: Run): void {
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
        const done: Sentences = [
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

function addUser(program: Command, run: Run): void {
  const user = program.command('user').description('users who sign in to the console');
  user
    .command('create')
    .description('create a user of a merchant')
    .requiredOption('--merchant <code>', 'merchant')
    .requiredOption('--email <email>', 'email address the user signs in with')
    .requiredOption('--name <name>', 'display name')
    .requiredOption('--role <role>', `${roles.join(', ')}, or a code of “role list”`, roleOption)
    .addHelpText('after', '\nReads the password from standard input, or prompts for it at a terminal.')
    .action(async (options) => {
      const password = await readPassword();
      await run(async ({ merchants }) => {
        const { id } = await merchants.find(options.merchant);
        const { email, name, role } = options;
        const code = await merchants.createUser(id, { email, name, password, roles: [role] });
        const facts = { email, ...enrolmentFacts(code) };
        return { done: [`User ${email} created.`, ...enrolmentText(code)], facts };
      });
    });
  addTeam(user, run);
  addUserHelp(user, run);
  user
    .command('list')
    .description('list the users of a merchant, or of all merchants')
    .option('--merchant <code>', 'merchant')
    .action((options) =>
      run(async ({ merchants }) => {
        const of = options.merchant ? (await merchants.find(options.merchant)).id : undefined;
        return { rows: await merchants.listUsers(of) };
      }),
    );
}

/** Adds the commands for one merchant's team; suspending and signing out act on a person everywhere. */
function addTeam(user: Command, run: Run): void {
  const merchant = ['--merchant <code>', 'merchant'] as const;
  const email = ['--email <email>', 'email address of the person'] as const;
  const role = [
    '--role <role>',
    `${roles.join(', ')}, or a code of “role list”; can be repeated`,
    rolesOption,
  ] as const;
  user
    .command('invite')
    .description('invite a person to the team of a merchant; prints the link, which works once')
    .requiredOption(...merchant)
    .requiredOption(...email)
    .requiredOption(...role)
    .action((options) =>
      run(async ({ services: { invitations }, merchants, actor, config }) => {
        const by = operatorActor(actor, (await merchants.find(options.merchant)).id);
        const made = await invitations.invite(by, emailAddress.parse(options.email), options.role);
        // Without APP_URL, only the running server knows its own address.
        const url = new URL(made.url, addressOf(config)).href;
        const text = `Anyone who has the link can join within ${invitationHours} hours. Give it only to ${options.email}.`;
        return { done: [`Link ${url}`, text], facts: { url } };
      }),
    );
  user
    .command('roles')
    .description('replace the roles that a person has at a merchant')
    .requiredOption(...merchant)
    .requiredOption(...email)
    .requiredOption(...role)
    .action((options) =>
      run(async ({ services: { team }, merchants, actor }) => {
        const by = operatorActor(actor, (await merchants.find(options.merchant)).id);
        await team.setRoles(by, await team.find(by.merchantId, options.email), options.role);
        return { done: `${options.email} is now ${options.role.join(', ')} at ${options.merchant}.` };
      }),
    );
  user
    .command('remove')
    .description('remove a person from the team of a merchant')
    .requiredOption(...merchant)
    .requiredOption(...email)
    .action((options) =>
      run(async ({ services: { team }, merchants, actor }) => {
        const by = operatorActor(actor, (await merchants.find(options.merchant)).id);
        await team.remove(by, await team.find(by.merchantId, options.email));
        return { done: `${options.email} has left ${options.merchant}.` };
      }),
    );
}

function addUserHelp(user: Command, run: Run): void {
  const email = ['--email <email>', 'email address the user signs in with'] as const;
  user
    .command('unlock')
    .description('unlock an account after too many incorrect passwords or codes')
    .requiredOption(...email)
    .action((options) =>
      run(async ({ users }) => {
        await users.unlock(options.email);
        return { done: `${options.email} may sign in again.` };
      }),
    );
  user
    .command('unlock-code')
    .description(
      'issue a one-time code that lets the owner of a locked account sign in; expires after 30 minutes or five passwords',
    )
    .requiredOption(...email)
    .action((options) =>
      run(async ({ users }) => {
        const code = await users.makeUnlockCode(options.email);
        return {
          done: [
            `Unlock code ${code}`,
            'Give it only to the account’s owner, who enters it together with the password.',
          ],
          facts: { code },
        };
      }),
    );
  user
    .command('reset-two-factor')
    .description('remove the second factors of a user who has lost them; verify the user’s identity first')
    .requiredOption(...email)
    .action((options) =>
      run(async ({ users }) => {
        const code = await users.resetTwoFactor(options.email);
        const text = `The second factors of ${options.email} were removed, and the user was signed out everywhere.`;
        return { done: [text, ...enrolmentText(code)], facts: enrolmentFacts(code) };
      }),
    );
  user
    .command('enrolment-code')
    .description('issue a code for binding the first second factor, if the merchant requires one')
    .requiredOption(...email)
    .action((options) =>
      run(async ({ users }) => {
        const code = await users.makeEnrolmentCode(options.email);
        return {
          done: [`${options.email} can bind a second factor.`, ...enrolmentText(code)],
          facts: enrolmentFacts(code),
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
    .description('create an access key for the Open API')
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
        return {
          done: [`Key ${key.id}`, `Secret ${key.secret}`, 'The secret is shown only once.'],
          facts: key,
        };
      }),
    );
  program
    .command('ip-address')
    .description('set the IP whitelist of a merchant; an empty whitelist blocks every signed request')
    .argument('<action>', 'set', oneOf(['set']))
    .requiredOption('--merchant <code>', 'merchant')
    .option('--allow <address>', 'IP address or CIDR block; can be repeated', blockOption, [])
    .option('--confirm-open', 'accept blocks that cover a large part of the internet, such as 0.0.0.0/0')
    .option('--confirm-closed', 'accept a whitelist that is empty, or blocks every caller of the last 7 days')
    .action((_action, options) =>
      run(async ({ merchants }) => {
        const { id } = await merchants.find(options.merchant);
        const { confirmOpen, confirmClosed } = options;
        await merchants.setAllowedAddresses(id, options.allow, { confirmOpen, confirmClosed });
        return {
          done: `The IP whitelist now has ${options.allow.length} entries.`,
          facts: { allow: options.allow },
        };
      }),
    );
}

/** Sentences, each on a line of its own. */
type Sentences = [string, ...string[]];

function enrolmentFacts(code: string | undefined): { enrolmentCode?: string } {
  return code === undefined ? {} : { enrolmentCode: code };
}

/** Tells the operator how to pass on an enrollment code. */
function enrolmentText(code: string | undefined): string[] {
  if (code === undefined) return [];
  return [
    `Enrollment code ${code}`,
    `It works once and expires after ${enrolmentCodeHours} hours. Give it only to the user, over a different channel than the password.`,
  ];
}
