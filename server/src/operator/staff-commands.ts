import { emailAddress } from '@hengfu/contract/session';
import { type StaffRole, staffRoles } from '@hengfu/contract/staff/permissions';
import { type Command, InvalidArgumentError } from 'commander';
import type { Run } from './operator.ts';
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
  const email = ['--email <email>', 'email address the person signs in with'] as const;
  staff
    .command('create')
    .description('add a person, and print the generated password')
    .requiredOption(...email)
    .requiredOption('--name <name>', 'display name')
    .requiredOption('--role <role>', `${staffRoles.join(', ')}; can be repeated`, rolesOption)
    .action((options) =>
      run(async ({ withStaff, actor }) => {
        const person = { email: emailAddress.parse(options.email), name: options.name, roles: options.role };
        const password = await withStaff(({ accounts }) => accounts.create(person, actor));
        return passwordAnswer(`${person.email} can sign in to the back office.`, password);
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

function addAccess(staff: Command, run: Run, email: readonly [string, string]): void {
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
      .action((options) =>
        run(async ({ withStaff, actor }) => {
          const address = emailAddress.parse(options.email);
          await withStaff(({ accounts }) => accounts.setDisabled(address, isDisabled, actor));
          return { done: `${address} ${done}.` };
        }),
      );
  staff
    .command('unlock')
    .description('let a person sign in again whom wrong passwords or codes have locked out')
    .requiredOption(...email)
    .action((options) =>
      run(async ({ withStaff, actor }) => {
        const address = emailAddress.parse(options.email);
        await withStaff(({ accounts }) => accounts.unlock(address, actor));
        return { done: `${address} can try to sign in again.` };
      }),
    );
  staff
    .command('reset-factor')
    .description(
      'remove the second factor of a person who has lost it, and print a new password; verify the identity first',
    )
    .requiredOption(...email)
    .action((options) =>
      run(async ({ withStaff, actor }) => {
        const address = emailAddress.parse(options.email);
        const password = await withStaff(({ accounts }) => accounts.resetFactor(address, actor));
        return passwordAnswer(
          `${address} was signed out everywhere, and binds a new second factor.`,
          password,
        );
      }),
    );
}

function passwordAnswer(text: string, password: string): Answer {
  const advice = 'Give it only to this person. The first sign-in binds an authenticator app.';
  return { done: [text, `Password ${password}`, advice], facts: { password } };
}
