import { enrolmentCodeHours } from '@hengfu/contract/authentication';
import { roles } from '@hengfu/contract/permissions';
import { invitationHours } from '@hengfu/contract/team';
import type { Command } from 'commander';
import { operatorActor } from '../features/team/team.actor.ts';
import { addressOf } from '../process/url-file.ts';
import { runForPerson } from './former-email.ts';
import { accessQuestion, breakGlassOption, doneOrAsked, onceAgreed, roleTexts } from './four-eyes.ts';
import type { Run } from './operator.ts';
import { type EmailOption, emailOption, roleOption, rolesOption } from './parse.ts';
import { readPassword } from './password.ts';

/** Adds the commands for the people who sign in to the console. */
export function userCommands(program: Command, run: Run): void {
  const user = program.command('user').description('users who sign in to the console');
  user
    .command('create')
    .description('create a user of a merchant, once somebody in the back office agrees')
    .requiredOption('--merchant <code>', 'merchant')
    .requiredOption('--email <email>', 'email address the user signs in with', emailOption)
    .requiredOption('--name <name>', 'display name')
    .requiredOption('--role <role>', `${roles.join(', ')}, or a code of “role list”`, roleOption)
    .addOption(breakGlassOption())
    .addHelpText('after', '\nReads the password from standard input, or prompts for it at a terminal.')
    .action(async (options) => {
      const password = await readPassword(options.email);
      await run(async (context) => {
        const merchant = await context.merchants.find(options.merchant);
        const { email, name, role, breakGlass } = options;
        const question = accessQuestion(merchant, {
          command: 'user create',
          person: email,
          facts: [
            { name: 'name', before: null, after: name },
            {
              name: 'roles',
              before: null,
              after: roleTexts([role], await context.services.ownRoles.list(merchant.id)),
            },
          ],
        });
        return onceAgreed(context, question, breakGlass, async () => {
          const given = { email, name, password, roles: [role] };
          const code = await context.merchants.createUser(merchant.id, given);
          const facts = { email, ...enrolmentFacts(code) };
          return { done: [`User ${email} created.`, ...enrolmentText(code)], facts };
        });
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
  const email = ['--email <email>', 'email address of the person', emailOption] as const;
  const role = [
    '--role <role>',
    `${roles.join(', ')}, or a code of “role list”; can be repeated`,
    rolesOption,
  ] as const;
  user
    .command('invite')
    .description(
      'invite a person to the team of a merchant, once somebody in the back office agrees; prints the link, which works once. Replaces an open invitation of the person',
    )
    .requiredOption(...merchant)
    .requiredOption(...email)
    .requiredOption(...role)
    .addOption(breakGlassOption())
    .action((options) =>
      run(async (context) => {
        const found = await context.merchants.find(options.merchant);
        const { email: person } = options;
        const own = await context.services.ownRoles.list(found.id);
        const facts = [{ name: 'roles', before: null, after: roleTexts(options.role, own) }] as const;
        const question = accessQuestion(found, { command: 'user invite', person, facts });
        return onceAgreed(context, question, options.breakGlass, async () => {
          const { services, actor, config } = context;
          const made = await services.invitations.inviteAgain(
            operatorActor(actor, found.id),
            person,
            options.role,
          );
          // Without APP_URL, only the running server knows its own address.
          const url = new URL(made.url, addressOf(config)).href;
          const text = `Anyone who has the link can join within ${invitationHours} hours. Give it only to ${options.email}.`;
          return { done: [`Link ${url}`, text], facts: { url } };
        });
      }),
    );
  user
    .command('roles')
    .description('replace the roles that a person has at a merchant, once somebody in the back office agrees')
    .requiredOption(...merchant)
    .requiredOption(...email)
    .requiredOption(...role)
    .addOption(breakGlassOption())
    .action((options) =>
      run(async (context) => {
        const { team, ownRoles } = context.services;
        const found = await context.merchants.find(options.merchant);
        const userId = await team.find(found.id, options.email);
        const member = (await team.list(found.id)).members.find(({ id }) => id === userId);
        const before = member?.roles ?? [];
        const own = await ownRoles.list(found.id);
        const [from, to] = [roleTexts(before, own), roleTexts(options.role, own)];
        const question = accessQuestion(found, {
          command: 'user roles',
          person: options.email,
          facts: [{ name: 'roles', before: from, after: to }],
        });
        return onceAgreed(context, question, options.breakGlass, async () => {
          await team.setRoles(operatorActor(context.actor, found.id), userId, options.role, before);
          return { done: `${options.email} is now ${options.role.join(', ')} at ${options.merchant}.` };
        });
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
  const email = ['--email <email>', 'email address the user signs in with', emailOption] as const;
  user
    .command('unlock')
    .description('unlock an account after too many incorrect passwords or codes')
    .requiredOption(...email)
    .action((options) =>
      runForPerson(run, options.email, async ({ users }) => {
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
      runForPerson(run, options.email, async ({ users }) => {
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
    .command('sign-out')
    .description('end every session of a user')
    .requiredOption(...email)
    .action((options) =>
      runForPerson(run, options.email, async ({ users }) => {
        await users.signOut(options.email);
        return { done: `${options.email} is signed out everywhere.` };
      }),
    );
  addPasswordHelp(user, run, email);
  addFactorHelp(user, run, email);
}

function addPasswordHelp(user: Command, run: Run, email: EmailOption): void {
  user
    .command('reset-password')
    .description(
      'set a new login password and remove the payment password of a user who has forgotten one of them, once somebody in the back office agrees; verify the user’s identity first',
    )
    .requiredOption(...email)
    .addOption(breakGlassOption())
    .addHelpText(
      'after',
      `
Reads the new password from standard input, or prompts for it at a terminal. It is not stored while the request waits: give it
again when the request is approved.
Ends every session and pending sign-in of the user, at all merchants, and the locks after incorrect passwords and codes. Second
factors stay, and a suspended user stays suspended. The user sets a new payment password in the console.

Example: user reset-password --email ann@acme.test`,
    )
    .action(async (options) => {
      const { email: person, breakGlass } = options;
      const password = await readPassword(person);
      await runForPerson(run, person, async (context) => {
        const { userId, merchants } = await context.users.personOf(person);
        const codes = merchants.map(({ code }) => code).join(', ');
        // Nothing that the person can change alone: whoever has taken over the account must not void the permit.
        const facts = [{ name: 'merchants', before: null, after: codes }] as const;
        const asked = { command: 'user reset-password', person, userId, facts };
        return onceAgreed(context, accessQuestion(merchants[0], asked), breakGlass, async () => {
          await context.users.resetPassword(person, userId, password);
          return {
            done: [
              `${person} has a new login password and no payment password, and was signed out everywhere.`,
              'Give the password only to the user, who should change it after signing in.',
            ],
            facts: { email: person },
          };
        });
      });
    });
}

function addFactorHelp(user: Command, run: Run, email: EmailOption): void {
  user
    .command('reset-two-factor')
    .description(
      'remove the second factors of a user who has lost them, once somebody in the back office agrees; verify the user’s identity first',
    )
    .requiredOption(...email)
    .addOption(breakGlassOption())
    .action((options) =>
      runForPerson(run, options.email, async ({ users, withStaff, actor }) => {
        const { email } = options;
        const home = await users.homeOf(email);
        return withStaff(async ({ services: { factorResets } }) => {
          const request = await factorResets.ask(home, actor, '', { breakGlass: options.breakGlass });
          const text = `The second factors of ${email} were removed, and the user was signed out everywhere.`;
          if (request !== undefined) return doneOrAsked(request, text);
          const code = await factorResets.takeCode(home, actor);
          return { done: [text, ...enrolmentText(code)], facts: enrolmentFacts(code) };
        });
      }),
    );
  user
    .command('enrolment-code')
    .description(
      'issue a code for binding the first second factor, if the merchant requires one, once somebody in the back office agrees',
    )
    .requiredOption(...email)
    .addOption(breakGlassOption())
    .action((options) =>
      runForPerson(run, options.email, async (context) => {
        const { email: person } = options;
        const { merchantId } = await context.users.homeOf(person);
        const found = await context.merchants.findById(merchantId);
        const question = accessQuestion(found, { command: 'user enrolment-code', person });
        return onceAgreed(context, question, options.breakGlass, async () => {
          const code = await context.users.makeEnrolmentCode(person);
          return {
            done: [`${person} can bind a second factor.`, ...enrolmentText(code)],
            facts: enrolmentFacts(code),
          };
        });
      }),
    );
}

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
