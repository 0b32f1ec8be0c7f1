import { contactKinds } from '@hengfu/contract/contact';
import type { Command } from 'commander';
import type { Run } from './operator.ts';
import { oneOf } from './parse.ts';

const kindOption = oneOf(contactKinds);

/** The contact page of the console. */
export function contactCommands(program: Command, run: Run): void {
  const contact = program
    .command('contact')
    .description('how merchants reach you: the console’s contact page');
  contact
    .command('list')
    .description('what the page shows, in its order')
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
    .description('add a way, or give one that is there other notes')
    .argument('<kind>', contactKinds.join(', '), kindOption)
    .argument('<value>', 'a@b.test, +8613800000000, @name, https://…')
    .option('--note <text>', 'beside it, for readers of English and of languages without a note of their own')
    .option('--note-zh-cn <text>', 'beside it, in Chinese')
    .option('--note-vi <text>', 'beside it, in Vietnamese')
    .action((kind, value, options) =>
      run(async ({ services, actor }) => {
        const notes = { en: options.note, 'zh-cn': options.noteZhCn, vi: options.noteVi };
        await services.contact.set({ kind, value, notes }, actor);
        return { done: `The contact page shows ${kind} ${value}.`, facts: { kind, value, notes } };
      }),
    );
  contact
    .command('remove')
    .description('take a way away')
    .argument('<kind>', contactKinds.join(', '), kindOption)
    .argument('<value>', 'as it is listed')
    .action((kind, value) =>
      run(async ({ services, actor }) => {
        await services.contact.remove(kind, value, actor);
        return { done: `${kind} ${value} is gone from the contact page.` };
      }),
    );
}
