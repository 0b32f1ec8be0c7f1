import { contactKinds } from '@hengfu/contract/contact';
import type { Command } from 'commander';
import { breakGlassOption, doneOrAsked } from './four-eyes.ts';
import type { Run } from './operator.ts';
import { oneOf } from './parse.ts';

const kindOption = oneOf(contactKinds);

/** Adds the commands for the contact page of the console. */
export function contactCommands(program: Command, run: Run): void {
  const contact = program.command('contact').description('contact details on the console’s contact page');
  contact
    .command('list')
    .description('list the contact details, in the order shown on the page')
    .action(() =>
      run(async ({ services }) => {
        const ways = await services.contact.list();
        const rows = ways.map(({ kind, value, notes }) => ({
          kind,
          value,
          note: notes.en ?? '',
          'note-zh-cn': notes['zh-cn'] ?? '',
          'note-vi': notes.vi ?? '',
        }));
        return { rows };
      }),
    );
  contact
    .command('set')
    .description(
      'add a contact detail, or change the notes of an existing one, once somebody in the back office agrees',
    )
    .argument('<kind>', contactKinds.join(', '), kindOption)
    .argument('<value>', 'a@b.test, +8613800000000, @name, https://…')
    .option('--note <text>', 'note in English, also used where a language has no note of its own')
    .option('--note-zh-cn <text>', 'note in Chinese')
    .option('--note-vi <text>', 'note in Vietnamese')
    .addOption(breakGlassOption())
    .action((kind, value, { note, noteZhCn, noteVi, breakGlass }) =>
      run(async ({ withStaff, actor }) => {
        const notes = {
          ...(note && { en: note }),
          ...(noteZhCn && { 'zh-cn': noteZhCn }),
          ...(noteVi && { vi: noteVi }),
        };
        const request = await withStaff(({ services: { contactRequests } }) =>
          contactRequests.askToSet({ kind, value, notes }, actor, '', { breakGlass }),
        );
        if (request !== undefined) return doneOrAsked(request, '');
        return { done: `The contact page now shows ${kind} ${value}.`, facts: { kind, value, notes } };
      }),
    );
  contact
    .command('remove')
    .description('remove a contact detail, once somebody in the back office agrees')
    .argument('<kind>', contactKinds.join(', '), kindOption)
    .argument('<value>', 'as listed')
    .addOption(breakGlassOption())
    .action((kind, value, { breakGlass }) =>
      run(async ({ withStaff, actor }) => {
        const request = await withStaff(({ services: { contactRequests } }) =>
          contactRequests.askToRemove({ kind, value }, actor, '', { breakGlass }),
        );
        return doneOrAsked(request, `${kind} ${value} was removed from the contact page.`);
      }),
    );
}
