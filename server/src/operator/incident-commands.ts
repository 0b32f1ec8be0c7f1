import { incidentImpacts, incidentStages, statusComponents } from '@hengfu/contract/status';
import { type Command, InvalidArgumentError } from 'commander';
import type { Run } from './operator.ts';
import { oneOf } from './parse.ts';

/** Adds the commands for incidents on the console's status page. */
export function incidentCommands(program: Command, run: Run): void {
  const incident = program.command('incident').description('incidents on the console’s status page');
  addOpen(incident, run);
  addUpdate(incident, run);
  addResolve(incident, run);
  incident
    .command('list')
    .description('list the incidents of the last 90 days, newest first, including those opened automatically')
    .action(() =>
      run(async ({ services }) => {
        const incidents = await services.incidents.list();
        const rows = incidents.map(
          ({ id, source, component, impact, title, startedAt, endedAt, updates }) => ({
            id: String(id),
            by: source,
            component: component ?? '',
            impact,
            title: title?.en ?? '',
            started: startedAt.toISOString(),
            ended: endedAt?.toISOString() ?? '',
            updates: updates.length,
          }),
        );
        return { rows };
      }),
    );
}

function addOpen(incident: Command, run: Run): void {
  withText(
    incident
      .command('open')
      .description('report an incident')
      .requiredOption('--impact <impact>', incidentImpacts.join(', '), oneOf(incidentImpacts))
      .option('--component <component>', statusComponents.join(', '), oneOf(statusComponents))
      .requiredOption('--title <text>', 'in English, also used where a language has no text of its own')
      .option('--title-zh-cn <text>', 'in Chinese')
      .option('--title-vi <text>', 'in Vietnamese'),
  ).action((options) =>
    run(async ({ services, actor }) => {
      const { impact, component = null } = options;
      const title = translations(options.title, options.titleZhCn, options.titleVi);
      const id = await services.incidents.open({ impact, component, title, text: textOf(options) }, actor);
      return { done: `Incident ${id} is now on the status page.`, facts: { id: String(id) } };
    }),
  );
}

function addUpdate(incident: Command, run: Run): void {
  withText(
    incident
      .command('update')
      .description('post an update to an incident, including one opened automatically or already ended')
      .argument('<id>', 'as listed', idOption)
      .option('--stage <stage>', incidentStages.join(', '), oneOf(incidentStages)),
  ).action((id, options) =>
    run(async ({ services, actor }) => {
      await services.incidents.update(id, { stage: options.stage ?? null, text: textOf(options) }, actor);
      return { done: `Incident ${id} was updated.` };
    }),
  );
}

function addResolve(incident: Command, run: Run): void {
  withText(
    incident
      .command('resolve')
      .description(
        'resolve an incident that an operator opened; those opened automatically also end automatically',
      )
      .argument('<id>', 'as listed', idOption),
  ).action((id, options) =>
    run(async ({ services, actor }) => {
      await services.incidents.resolve(id, textOf(options), actor);
      return { done: `Incident ${id} is resolved.` };
    }),
  );
}

/** Adds the options for the text of an update, one per language. */
function withText<C extends Command>(command: C): C {
  return command
    .requiredOption('--text <text>', 'in English, also used where a language has no text of its own')
    .option('--text-zh-cn <text>', 'in Chinese')
    .option('--text-vi <text>', 'in Vietnamese');
}

interface TextOptions {
  text: string;
  textZhCn?: string;
  textVi?: string;
}

function textOf({ text, textZhCn, textVi }: TextOptions) {
  return translations(text, textZhCn, textVi);
}

function translations(en: string, chinese?: string, vietnamese?: string) {
  return { en, ...(chinese && { 'zh-cn': chinese }), ...(vietnamese && { vi: vietnamese }) };
}

function idOption(text: string): bigint {
  if (!/^\d{1,18}$/.test(text)) throw new InvalidArgumentError('a number, as listed');
  return BigInt(text);
}
