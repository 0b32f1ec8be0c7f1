import { createWriteStream } from 'node:fs';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { archivableTables } from '#archive/archiver.ts';
import type { Run } from './operator.ts';
import { monthOption, monthsOption, oneOf } from './parse.ts';

const leastMonths = 3;

/** Adds the commands for months that are moved to the file store. */
export function archiveCommands(program: Command, run: Run): void {
  const archive = program
    .command('archive')
    .description(
      'closed months of entries, timelines, callback attempts and the audit trail, moved from the database to the file store',
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
  archive
    .command('extract')
    .description('write the rows of an archived month to a new file, one JSON object per line')
    .requiredOption('--table <name>', archivableTables.join(', '), oneOf(archivableTables))
    .requiredOption('--month <month>', 'the UTC month, as 2026-01', monthOption)
    .option('--merchant <code>', 'rows of this merchant only')
    .requiredOption('--to <file>', 'the file to create; must not exist yet')
    .action(({ table, month, merchant, to }) =>
      run(async ({ services, merchants }) => {
        const merchantId = merchant === undefined ? undefined : (await merchants.find(merchant)).id;
        let rows = 0;
        const lines = services.archiver.lines({ table, month }, merchantId);
        await pipeline(
          async function* () {
            for await (const batch of lines) {
              rows += batch.length;
              if (batch.length > 0) yield `${batch.join('\n')}\n`;
            }
          },
          createWriteStream(to, { flags: 'wx', mode: 0o600, flush: true }),
        );
        return { done: `Extracted to ${resolve(to)}`, facts: { rows } };
      }),
    );
}
