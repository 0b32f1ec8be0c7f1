import { passwordParts } from '@hengfu/contract/staff/accounts';
import { type StaffRole, staffRoles } from '@hengfu/contract/staff/permissions';
import { type Command, InvalidArgumentError } from 'commander';
import type { AccountChange, AccountRequests } from '../features/staff/accounts/account-requests.ts';
import { breakGlassOption, doneOrAsked } from './four-eyes.ts';
import type { CommandContext, Run } from './operator.ts';
import { type EmailOption, emailOption } from './parse.ts';
import type { Answer } from './print.ts';

/** Reads an option that can be repeated: the roles of a member of our staff. */
function rolesOption(text: string, earlier: StaffRole[] = []): StaffRole[] {
  const role = staffRoles.find((each) => each === text);
  if (!role) throw new InvalidArgumentError(`It is one of ${staffRoles.join(', ')}.`);
  return earlier.includes(role) ? earlier : [...earlier, role];
}

/** Adds the commands for the people who sign in to the back office. */
export function staffCommands(program: Command, run: Run): void {
  const staff = program.command('staff').description('people who sign in to the back office');
  const email = ['--email <email>', 'email address the person signs in with', emailOption] as const;
  staff
    .command('create')
    .description('add a person with a generated password, once somebody in the back office agrees')
    .requiredOption(...email)
    .requiredOption('--name <name>', 'display name')
    .requiredOption('--role <role>', `${staffRoles.join(', ')}; can be repeated`, rolesOption)
    .addOption(breakGlassOption())
    .action((options) =>
      run((context) => {
        const person = { email: options.email, name: options.name, roles: options.role };
        const done = `${person.email} can sign in to the back office.`;
        return change(context, { what: 'create', ...person }, options.breakGlass, done);
      }),
    );
  staff
    .command('roles')
    .description('give a person other roles, once somebody in the back office agrees')
    .requiredOption(...email)
    .requiredOption('--role <role>', `${staffRoles.join(', ')}; can be repeated`, rolesOption)
    .addOption(breakGlassOption())
    .action((options) =>
      run((context) => {
        const { email: address } = options;
        const asked = { what: 'roles', email: address, roles: options.role } as const;
        return change(
          context,
          asked,
          options.breakGlass,
          `${address} has the roles ${options.role.join(', ')}.`,
        );
      }),
    );
  staff
    .command('list')
    .description('list the people who can sign in to the back office')
    .action(() =>
      run(async ({ withStaff }) => {
        const people = await withStaff(({ accounts }) => accounts.list());
        const rows = people.map(({ email, name, roles, hasFactor, disabledAt }) => ({
          email,
          name,
          roles: roles.join(', '),
          factor: hasFactor,
          disabled: disabledAt?.toISOString() ?? '',
        }));
        return { rows };
      }),
    );
  addAccess(staff, run, email);
}

function addAccess(staff: Command, run: Run, email: EmailOption): void {
  for (const [name, isDisabled, done] of [
    ['disable', true, 'can no longer sign in, and was signed out everywhere'],
    ['enable', false, 'can sign in again'],
  ] as const)
    staff
      .command(name)
      .description(
        isDisabled ? 'sign a person out and keep the person out' : 'let a disabled person sign in again',
      )
      .requiredOption(...email)
      .addOption(breakGlassOption())
      .action((options) =>
        run((context) => {
          const { email: address } = options;
          const asked = { what: isDisabled ? 'disable' : 'enable', email: address } as const;
          return change(context, asked, options.breakGlass, `${address} ${done}.`);
        }),
      );
  staff
    .command('unlock')
    .description('let a person sign in again whom wrong passwords or codes have locked out')
    .requiredOption(...email)
    .action((options) =>
      run(async ({ withStaff, actor }) => {
        const { email: address } = options;
        await withStaff(({ accounts }) => accounts.unlock(address, actor));
        return { done: `${address} can try to sign in again.` };
      }),
    );
  staff
    .command('reset-factor')
    .description(
      'remove the second factor of a person who has lost it, and set a new password, once somebody in the back office agrees; ' +
        'verify the identity first',
    )
    .requiredOption(...email)
    .addOption(breakGlassOption())
    .action((options) =>
      run((context) => {
        const { email: address } = options;
        const done = `${address} was signed out everywhere, and binds a new second factor.`;
        return change(context, { what: 'reset', email: address }, options.breakGlass, done);
      }),
    );
  staff
    .command('password-part')
    .description(
      'after create or reset-factor was agreed to: print, once, the part of the new password that you give to the person',
    )
    .requiredOption(...email)
    .action((options) =>
      run(({ withStaff, actor }) => {
        const { email: address } = options;
        return withStaff(async ({ services: { accountRequests } }) =>
          passwordAnswer(undefined, await accountRequests.takeParts(address, actor)),
        );
      }),
    );
}

/** Asks for a change of an account, or makes it if the operator acts alone. */
function change(
  { withStaff, actor }: CommandContext,
  asked: AccountChange,
  breakGlass: string | undefined,
  done: string,
): Promise<Answer> {
  return withStaff(async ({ services: { accountRequests } }) => {
    const request = await accountRequests.ask(asked, actor, '', { breakGlass });
    const hasPassword = asked.what === 'create' || asked.what === 'reset';
    if (request !== undefined || !hasPassword) return doneOrAsked(request, done);
    return passwordAnswer(done, await accountRequests.takeParts(asked.email, actor));
  });
}

/** Prints a new password: all of it to an operator who has acted alone, otherwise the operator's part. */
function passwordAnswer(
  done: string | undefined,
  parts: Awaited<ReturnType<AccountRequests['takeParts']>>,
): Answer {
  const text = parts.map((each) => each.text).join('-');
  const isWhole = parts.length === passwordParts.length;
  const advice = isWhole
    ? 'Give it only to this person. The first sign-in binds an authenticator app.'
    : 'Give it only to this person. Your colleague in the back office gives the other part: the password is the first part, a hyphen, and the second part.';
  const label = isWhole ? 'Password' : `The ${parts[0]?.part} part of the password`;
  const facts = isWhole ? { password: text } : { part: parts[0]?.part, text };
  const lines = [`${label} ${text}`, advice] as const;
  return { done: done === undefined ? lines : [done, ...lines], facts };
}
