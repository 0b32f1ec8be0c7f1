import type { Command } from 'commander';
import type { Run } from './operator.ts';
import { monthsOption } from './parse.ts';

const leastMonths = 3;

/** Adds the commands for months that are moved to the file store. */
export function archiveCommands(program: Command, run: Run): void {
  const archive = program
    .command('archive')
    .description(
      'closed months of entries, timelines and callback attempts, moved from the database to the file store',
    );
  archive
    .command('run')
    .description('archive every month that ended long enough ago, unless an order of that time is unfinished')
    .requiredOption('--after <months>', 'months since the month’s end, 3 or more', monthsOption(leastMonths))
    .action(({ after }) =>
      run(async ({ services }) => ({ rows: await services.archiver.archiveClosed(after) })),
    );
  archive
    .command('list')
    .description('list the archived months with their files')
    .action(() =>
      run(async ({ services }) => {
        const months = await services.archiver.list();
        return {
          rows: months.map(({ sha256, archivedAt, ...month }) => ({
            ...month,
            sha256: sha256.toString('hex'),
            archived: archivedAt.toISOString(),
          })),
        };
      }),
    );
  archive
    .command('verify')
    .description(
      'read every file again and compare rows, size, SHA-256 and sums of entries; exit code 1 if one differs',
    )
    .action(() =>
      run(async ({ services }) => {
        const faults = await services.archiver.verify();
        if (faults.length === 0)
          return { done: 'Every archived month is as it was written.', facts: { faults } };
        process.exitCode = 1;
        return { rows: faults };
      }),
    );
}
