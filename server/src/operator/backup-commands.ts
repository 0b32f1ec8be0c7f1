import { resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { restoreToTime } from '#composition/restored-database.ts';
import { backUp } from '#db/backup/backup.ts';
import { type Manifest, readManifest } from '#db/backup/manifest.ts';
import { recordBackup } from '#db/backup/record.ts';
import { restore } from '#db/backup/restore.ts';
import { ensureLogin } from '#db/login.ts';
import { violations } from '#ledger/ledger.ts';
import { appKeyMark } from '#security/app-key-mark.ts';
import type { OwnerContext, RunAsOwner, RunWithConfig } from './operator.ts';
import { momentOption } from './parse.ts';
import type { Answer } from './print.ts';

/** Adds the commands that back up the database and restore it. */
export function backupCommands(program: Command, run: RunAsOwner, runWithConfig: RunWithConfig): void {
  program
    .command('backup')
    .description(
      'back up the whole database as of one moment, while the product runs; export files are not included',
    )
    .requiredOption('--to <folder>', 'the folder to create; must not exist yet')
    .action(({ to }) =>
      run(async ({ config, ownerUrl }) => {
        const startedAt = performance.now();
        const login = await ensureLogin(ownerUrl, config.appKey);
        const content = await backUp({ ownerUrl, login, folder: to, keyMark: appKeyMark(config.appKey) });
        await recordBackup(ownerUrl, new Date(content.madeAt));
        return summaryOf(`Backed up to ${resolve(to)}`, content, startedAt);
      }),
    );
  addRestore(program, run, runWithConfig);
}

function addRestore(program: Command, run: RunAsOwner, runWithConfig: RunWithConfig): void {
  program
    .command('restore')
    .description(
      'restore a backup into a new, empty database, or the embedded database to a moment of its WAL archive, then verify the ' +
        'ledger; exit code 1 if it does not balance. Needs the APP_KEY of the backup, as APP_KEY or APP_KEY_PREVIOUS',
    )
    .option('--from <folder>', 'the backup folder')
    .option(
      '--to-time <moment>',
      'a moment with its time zone, such as 2026-01-31T09:30:00Z, or latest',
      targetOption,
    )
    .option(
      '--timeline <number>',
      'with --to-time: the timeline to follow, if not the newest',
      timelineOption,
    )
    .option('--database <id>', 'with --to-time: the database, if the archive has several (recovery list)')
    .addHelpText(
      'after',
      `
--to-time restores into the DATA_DIR in the environment, which must be new, from WAL_ARCHIVE_URL with WAL_ARCHIVE_KEY. Payouts are
held afterwards: run recovery compare, settle what it lists, then recovery release.`,
    )
    .action(({ from, toTime, timeline, database }) => {
      if ((from === undefined) === (toTime === undefined))
        throw new Error('Specify either --from or --to-time.');
      return from === undefined
        ? runWithConfig((config, log) =>
            toMoment(config, { target: toTime.at, timeline, system: database }, log),
          )
        : run((owner) => fromBackup(owner, from));
    });
}

async function fromBackup({ config, ownerUrl, withServices }: OwnerContext, from: string): Promise<Answer> {
  const startedAt = performance.now();
  const { keyMark } = await readManifest(from);
  const { appKey, previousKey } = config;
  if (![appKey, previousKey].some((key) => key && appKeyMark(key) === keyMark))
    throw new Error('The backup was made under a different APP_KEY: its secrets could not be decrypted.');
  const content = await restore({ ownerUrl, appKey, folder: from });
  const found = await withServices(({ database }) => database.asSystem((tx) => violations(tx)));
  if (found.length === 0)
    return summaryOf('Restored; every table matches its hash and the ledger balances', content, startedAt);
  process.exitCode = 1;
  return { rows: found };
}

async function toMoment(...parameters: Parameters<typeof restoreToTime>): Promise<Answer> {
  const startedAt = performance.now();
  const [config, { target }] = parameters;
  const { restored, found } = await restoreToTime(...parameters);
  if (found.length > 0) {
    process.exitCode = 1;
    return { rows: found };
  }
  const { recoveredTo, isTargetReached, base, timeline, newTimeline, lastSegment } = restored;
  const seconds = Number(((performance.now() - startedAt) / 1000).toFixed(1));
  const reached = isTargetReached
    ? []
    : [`The archive ends before ${target?.toISOString()}: everything in it was restored.`];
  return {
    done: [
      `Restored into ${config.dataDir} up to the transaction of ${recoveredTo.toISOString()}, in ${seconds} s. The ledger balances.`,
      ...reached,
      `From base backup ${base.label} and timeline ${timeline}; the database continues on timeline ${newTimeline}.`,
      'Payouts are held. Start the product there, run recovery compare, then recovery release.',
    ],
    facts: {
      recovered_to: recoveredTo,
      is_target_reached: isTargetReached,
      base: base.label,
      timeline,
      new_timeline: newTimeline,
      last_segment: lastSegment,
      seconds,
    },
  };
}

/** Parses a moment, or the end of the archive. */
function targetOption(text: string): { at: Date | undefined } {
  return { at: text === 'latest' ? undefined : momentOption(text) };
}

function timelineOption(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('the number of a timeline');
  return Number(text);
}

function summaryOf(what: string, { tables, madeAt }: Manifest, startedAt: number) {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const seconds = Number(((performance.now() - startedAt) / 1000).toFixed(1));
  return {
    done: `${what}: ${rows} rows in ${tables.length} tables as of ${madeAt}, in ${seconds} s.`,
    facts: { rows, tables: tables.length, made_at: madeAt, seconds },
  };
}
