import { resolve } from 'node:path';
import type { Command } from 'commander';
import { backUp } from '#db/backup/backup.ts';
import { type Manifest, readManifest } from '#db/backup/manifest.ts';
import { restore } from '#db/backup/restore.ts';
import { ensureLogin } from '#db/login.ts';
import { violations } from '#ledger/ledger.ts';
import { Secrets } from '#security/secrets.ts';
import type { RunAsOwner } from './operator.ts';

/** Adds the commands that back up the database and restore it. */
export function backupCommands(program: Command, run: RunAsOwner): void {
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
        const content = await backUp({ ownerUrl, login, folder: to, keyMark: markOf(config.appKey) });
        return summaryOf(`Backed up to ${resolve(to)}`, content, startedAt);
      }),
    );
  program
    .command('restore')
    .description(
      'restore a backup into a new, empty database, then verify the ledger; exit code 1 if it does not balance. Needs the ' +
        'APP_KEY of the backup, as APP_KEY or APP_KEY_PREVIOUS',
    )
    .requiredOption('--from <folder>', 'the backup folder')
    .action(({ from }) =>
      run(async ({ config, ownerUrl, withServices }) => {
        const startedAt = performance.now();
        const { keyMark } = await readManifest(from);
        const { appKey, previousKey } = config;
        if (![appKey, previousKey].some((key) => key && markOf(key) === keyMark))
          throw new Error(
            'The backup was made under a different APP_KEY: its secrets could not be decrypted.',
          );
        const content = await restore({ ownerUrl, appKey, folder: from });
        const found = await withServices(({ database }) => database.asSystem((tx) => violations(tx)));
        if (found.length === 0)
          return summaryOf(
            'Restored; every table matches its hash and the ledger balances',
            content,
            startedAt,
          );
        process.exitCode = 1;
        return { rows: found };
      }),
    );
}

/** Identifies a key without revealing anything about it. */
function markOf(appKey: Buffer): string {
  return new Secrets(appKey).hmac('backup', 'key');
}

function summaryOf(what: string, { tables, madeAt }: Manifest, startedAt: number) {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const seconds = Number(((performance.now() - startedAt) / 1000).toFixed(1));
  return {
    done: `${what}: ${rows} rows in ${tables.length} tables as of ${madeAt}, in ${seconds} s.`,
    facts: { rows, tables: tables.length, made_at: madeAt, seconds },
  };
}
