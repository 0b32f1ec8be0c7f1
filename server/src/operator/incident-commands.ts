import { incidentImpacts, incidentStages, statusComponents } from '@hengfu/contract/status';
import { type Command, InvalidArgumentError } from 'commander';
import type { Run } from './operator.ts';
import { oneOf } from './parse.ts';

/** Incidents on the console's status page. */
export function incidentCommands(program: Command, run: Run): void {
  const incident = program
    .command('incident')
    .description('what merchants read of troubles: the console’s status page');
  addOpen(incident, run);
  addUpdate(incident, run);
  addResolve(incident, run);
  incident
    .command('list')
    .description('incidents of 90 days, newest first, also those that the samples opened')
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
      .description('say that something is wrong')
      .requiredOption('--impact <impact>', incidentImpacts.join(', '), oneOf(incidentImpacts))
      .option('--component <component>', statusComponents.join(', '), oneOf(statusComponents))
      .requiredOption('--title <text>', 'for readers of English and of languages without one of their own')
      .option('--title-zh-cn <text>', 'in Chinese')
      .option('--title-vi <text>', 'in Vietnamese'),
  ).action((options) =>
    run(async ({ services, actor }) => {
      const { impact, component = null } = options;
      const title = words(options.title, options.titleZhCn, options.titleVi);
      const id = await services.incidents.open({ impact, component, title, text: textOf(options) }, actor);
      return { done: `Incident ${id} is on the status page.`, facts: { id: String(id) } };
    }),
  );
}

function addUpdate(incident: Command, run: Run): void {
  withText(
    incident
      .command('update')
      .description('add to an incident, also to one that the samples opened, and after its end')
      .argument('<id>', 'as it is listed', idOption)
      .option('--stage <stage>', incidentStages.join(', '), oneOf(incidentStages)),
  ).action((id, options) =>
    run(async ({ services, actor }) => {
      await services.incidents.update(id, { stage: options.stage ?? null, text: textOf(options) }, actor);
      return { done: `Incident ${id} says so.` };
    }),
  );
}

function addResolve(incident: Command, run: Run): void {
  withText(
    incident
      .command('resolve')
      .description('end an incident of yours; those that the samples opened end by themselves')
      .argument('<id>', 'as it is listed', idOption),
  ).action((id, options) =>
    run(async ({ services, actor }) => {
      await services.incidents.resolve(id, textOf(options), actor);
      return { done: `Incident ${id} is over.` };
    }),
  );
}

/** What an update says, in the languages that it is given in. */
function withText<C extends Command>(command: C): C {
  return command
    .requiredOption('--text <text>', 'for readers of English and of languages without one of their own')
    .option('--text-zh-cn <text>', 'in Chinese')
    .option('--text-vi <text>', 'in Vietnamese');
}

interface TextOptions {
  text: string;
  textZhCn?: string;
  textVi?: string;
}

function textOf({ text, textZhCn, textVi }: TextOptions) {
  return words(text, textZhCn, textVi);
}

function words(en: string, chinese?: string, vietnamese?: string) {
  return { en, ...(chinese && { 'zh-cn': chinese }), ...(vietnamese && { vi: vietnamese }) };
}

function idOption(text: string): bigint {
  if (!/^\d{1,18}$/.test(text)) throw new InvalidArgumentError('a number, as it is listed');
  return BigInt(text);
}
