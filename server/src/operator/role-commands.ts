import { ownRoleInput, type roleText } from '@hengfu/contract/own-roles';
import { perms } from '@hengfu/contract/permissions';
import type { RequestFact } from '@hengfu/contract/staff/requests';
import { type Command, InvalidArgumentError } from 'commander';
import type * as z from 'zod';
import { Refusal } from '#domain/refusal.ts';
import { validate } from '#domain/validate.ts';
import { operatorActor } from '../features/team/team.actor.ts';
import { accessQuestion, breakGlassOption, onceAgreed } from './four-eyes.ts';
import type { Run } from './operator.ts';
import { permsOption } from './parse.ts';

type RoleText = z.output<typeof roleText>;

const merchant = ['--merchant <code>', 'merchant'] as const;
const code = ['--code <code>', 'the role’s code, as “role list” shows it'] as const;
const name = ['--name <name>', 'its name', nameOption] as const;
const description = ['--description <text>', 'what it is for', descriptionOption, ''] as const;
const perm = ['--perm <permission>', `${perms.join(', ')}; can be repeated`, permsOption] as const;

/** Adds the commands for the roles that merchants make from the list of permissions. */
export function roleCommands(program: Command, run: Run): void {
  const role = program.command('role').description('roles that a merchant has made');
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
  addCreate(role, run);
  addChange(role, run);
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

function addCreate(role: Command, run: Run): void {
  role
    .command('create')
    .description(
      'make a role for a merchant, once somebody in the back office agrees; permissions that others need are added',
    )
    .requiredOption(...merchant)
    .requiredOption(...name)
    .option(...description)
    .requiredOption(...perm)
    .addOption(breakGlassOption())
    .action((options) =>
      run(async (context) => {
        const found = await context.merchants.find(options.merchant);
        const input = inputOf(options);
        const question = accessQuestion(found, { command: 'role create', facts: factsOf(undefined, input) });
        return onceAgreed(context, question, options.breakGlass, async () => {
          const by = operatorActor(context.actor, found.id);
          const { code } = await context.services.ownRoles.create(by, input);
          return { done: `Role ${code} created.`, facts: { code } };
        });
      }),
    );
}

function addChange(role: Command, run: Run): void {
  role
    .command('change')
    .description(
      'replace name, description and permissions of a role, for everybody who holds it, once somebody in the back office agrees',
    )
    .requiredOption(...merchant)
    .requiredOption(...code)
    .requiredOption(...name)
    .option(...description)
    .requiredOption(...perm)
    .addOption(breakGlassOption())
    .action((options) =>
      run(async (context) => {
        const { ownRoles } = context.services;
        const found = await context.merchants.find(options.merchant);
        const before = (await ownRoles.list(found.id)).find(({ code }) => code === options.code);
        if (!before) throw new Refusal('not_found');
        const input = inputOf(options);
        const question = accessQuestion(found, {
          command: `role change ${before.code}`,
          facts: factsOf(before, input),
        });
        return onceAgreed(context, question, options.breakGlass, async () => {
          await ownRoles.change(operatorActor(context.actor, found.id), before.code, input, before.version);
          return { done: `Role ${before.code} changed.` };
        });
      }),
    );
}

/** Builds what the second person reads of a role: above all what it permits. */
function factsOf(before: RoleText | undefined, after: RoleText): RequestFact[] {
  return [
    { name: 'name', before: before?.name ?? null, after: after.name },
    { name: 'description', before: before?.description || null, after: after.description || null },
    { name: 'permissions', before: before?.perms.join(' ') ?? null, after: after.perms.join(' ') },
  ];
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
  return validate(ownRoleInput, { name, description, perms: perm });
}
