import { announcementKinds } from '@hengfu/contract/announcements';
import { announcementBody } from '@hengfu/contract/staff/announcements';
import { type Command, InvalidArgumentError } from 'commander';
import { validate } from '#domain/validate.ts';
import { breakGlassOption, doneOrAsked } from './four-eyes.ts';
import type { Run } from './operator.ts';
import { noteOption, oneOf } from './parse.ts';

/** Adds the commands for announcements to merchants. */
export function announcementCommands(program: Command, run: Run): void {
  const announcement = program
    .command('announcement')
    .description('announcements under the top bar of merchants’ console');
  addAdd(announcement, run);
  announcement
    .command('list')
    .description('list announcements, newest first')
    .action(() =>
      run(async ({ withStaff }) => {
        const all = await withStaff(({ services: { announcements } }) => announcements.list());
        const rows = all.map(({ id, kind, state, text, startsAt, endsAt, merchants }) => ({
          id: String(id),
          kind,
          state,
          text: text.en,
          starts: startsAt.toISOString(),
          ends: endsAt?.toISOString() ?? '',
          merchants: merchants?.join(', ') ?? 'all',
        }));
        return { rows };
      }),
    );
  announcement
    .command('end')
    .description('end an announcement now')
    .argument('<id>', 'as listed', idOption)
    .action((id: bigint) =>
      run(async ({ withStaff, actor }) => {
        await withStaff(({ services: { announcements } }) => announcements.end(id, actor));
        return { done: `Announcement ${id} has ended.` };
      }),
    );
}

function addAdd(announcement: Command, run: Run): void {
  announcement
    .command('add')
    .description('announce something to all merchants, or to some, once somebody in the back office agrees')
    .requiredOption('--kind <kind>', announcementKinds.join(', '), oneOf(announcementKinds))
    .requiredOption('--text <text>', 'in English, also used where a language has no text of its own')
    .option('--text-zh-cn <text>', 'in Chinese')
    .option('--text-vi <text>', 'in Vietnamese')
    .option('--from <instant>', 'such as 2026-01-31T22:00:00+08:00; now by default', instantOption)
    .option('--until <instant>', 'until somebody ends it by default', instantOption)
    .option('--merchant <code...>', 'merchants that read it; all by default')
    .option('--reason <text>', 'reason, for the second person who has to agree', noteOption, '')
    .addOption(breakGlassOption())
    .action(({ from = null, until = null, merchant = [], reason, breakGlass, ...texts }) =>
      run(async ({ withStaff, actor }) => {
        const body = validate(announcementBody, {
          ...texts,
          startsAt: from,
          endsAt: until,
          merchants: merchant,
        });
        const request = await withStaff(({ services: { announcements } }) =>
          announcements.askToAdd(body, actor, reason, { breakGlass }),
        );
        return doneOrAsked(request, 'The announcement is saved.');
      }),
    );
}

function instantOption(text: string): string {
  const at = new Date(text);
  if (Number.isNaN(at.getTime()))
    throw new InvalidArgumentError('an instant, such as 2026-01-31T22:00:00+08:00');
  return at.toISOString();
}

function idOption(text: string): bigint {
  if (!/^[1-9]\d{0,17}$/.test(text)) throw new InvalidArgumentError('a number, as listed');
  return BigInt(text);
}
