import { ownRoleInput } from '@hengfu/contract/own-roles';
import { perms } from '@hengfu/contract/permissions';
import { type Command, InvalidArgumentError } from 'commander';
import { operatorActor } from '../features/team/team.actor.ts';
import type { Run } from './operator.ts';
import { permsOption } from './parse.ts';

/** Adds the commands for the roles that merchants make from the list of permissions. */
export function roleCommands(program: Command, run: Run): void {
  const role = program.command('role').description('roles that a merchant has made');
  const merchant = ['--merchant <code>', 'merchant'] as const;
  const code = ['--code <code>', 'the role’s code, as “role list” shows it'] as const;
  const name = ['--name <name>', 'its name', nameOption] as const;
  const description = ['--description <text>', 'what it is for', descriptionOption, ''] as const;
  const perm = ['--perm <permission>', `${perms.join(', ')}; can be repeated`, permsOption] as const;
  role
    .command('list')
    .description('list the roles that a merchant has made')
    .requiredOption(...merchant)
    .action((options) =>
      run(async ({ services: { ownRoles }, merchants }) => {
        const { id } = await merchants.find(options.merchant);
        const rows = await ownRoles.list(id);
        return {
          rows: rows.map((own) => ({
            code: own.code,
            name: own.name,
            description: own.description,
            perms: own.perms.join(' '),
          })),
        };
      }),
    );
  role
    .command('create')
    .description('make a role for a merchant; permissions that others need are added')
    .requiredOption(...merchant)
    .requiredOption(...name)
    .option(...description)
    .requiredOption(...perm)
    .action((options) =>
      run(async ({ services: { ownRoles }, merchants, actor }) => {
        const by = operatorActor(actor, (await merchants.find(options.merchant)).id);
        const made = await ownRoles.create(by, inputOf(options));
        return { done: `Role ${made.code} created.`, facts: { code: made.code } };
      }),
    );
  role
    .command('change')
    .description('replace name, description and permissions of a role, for everybody who holds it')
    .requiredOption(...merchant)
    .requiredOption(...code)
    .requiredOption(...name)
    .option(...description)
    .requiredOption(...perm)
    .action((options) =>
      run(async ({ services: { ownRoles }, merchants, actor }) => {
        const by = operatorActor(actor, (await merchants.find(options.merchant)).id);
        await ownRoles.change(by, options.code, inputOf(options));
        return { done: `Role ${options.code} changed.` };
      }),
    );
  role
    .command('retire')
    .description('retire a role that nobody holds')
    .requiredOption(...merchant)
    .requiredOption(...code)
    .action((options) =>
      run(async ({ services: { ownRoles }, merchants, actor }) => {
        const by = operatorActor(actor, (await merchants.find(options.merchant)).id);
        await ownRoles.retire(by, options.code);
        return { done: `Role ${options.code} retired.` };
      }),
    );
}

const { name: nameRule, description: descriptionRule } = ownRoleInput.shape;

function nameOption(text: string): string {
  const { data } = nameRule.safeParse(text);
  if (data === undefined) throw new InvalidArgumentError('a name of at most 40 characters, on one line');
  return data;
}

function descriptionOption(text: string): string {
  const { data } = descriptionRule.safeParse(text);
  if (data === undefined) throw new InvalidArgumentError('a text of at most 200 characters, on one line');
  return data;
}

function inputOf({ name, description, perm }: { name: string; description: string; perm: string[] }) {
  return ownRoleInput.parse({ name, description, perms: perm });
}
