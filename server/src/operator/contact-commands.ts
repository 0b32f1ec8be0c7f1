import { contactKinds } from '@hengfu/contract/contact';
import type { Command } from 'commander';
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
    .description('add a contact detail, or change the notes of an existing one')
    .argument('<kind>', contactKinds.join(', '), kindOption)
    .argument('<value>', 'a@b.test, +8613800000000, @name, https://…')
    .option('--note <text>', 'note in English, also used where a language has no note of its own')
    .option('--note-zh-cn <text>', 'note in Chinese')
    .option('--note-vi <text>', 'note in Vietnamese')
    .action((kind, value, options) =>
      run(async ({ services, actor }) => {
        const notes = { en: options.note, 'zh-cn': options.noteZhCn, vi: options.noteVi };
        await services.contact.set({ kind, value, notes }, actor);
        return { done: `The contact page now shows ${kind} ${value}.`, facts: { kind, value, notes } };
      }),
    );
  contact
    .command('remove')
    .description('remove a contact detail')
    .argument('<kind>', contactKinds.join(', '), kindOption)
    .argument('<value>', 'as listed')
    .action((kind, value) =>
      run(async ({ services, actor }) => {
        await services.contact.remove(kind, value, actor);
        return { done: `${kind} ${value} was removed from the contact page.` };
      }),
    );
}
