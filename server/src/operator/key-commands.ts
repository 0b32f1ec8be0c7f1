import type { Command } from 'commander';
import { dropLogin } from '#db/login.ts';
import { KeyRotation } from '../features/key-rotation/key-rotation.service.ts';
import type { Run } from './operator.ts';
import { reasonOption } from './parse.ts';

/** Adds the commands for the application key and the access keys of merchants. */
export function keyCommands(program: Command, run: Run): void {
  const key = program
    .command('key')
    .description('access keys of merchants, and the application key (APP_KEY)');
  addRotate(key, run);
  addList(key, run);
  addRevoke(key, run);
}

function addRotate(key: Command, run: Run): void {
  key
    .command('rotate')
    .description(
      're-encrypt secrets from APP_KEY_PREVIOUS to APP_KEY while the product runs with both, then remove the database ' +
        'login of the previous key unless a process still uses it; can be interrupted and run again',
    )
    .action(() =>
      run(async ({ services, withStaff, keys, ownerUrl, actor }) => {
        const { appKey, previousKey } = keys;
        if (!previousKey)
          throw new Error('Set APP_KEY_PREVIOUS to the previous key and APP_KEY to the new one.');
        if (previousKey.equals(appKey)) throw new Error('APP_KEY and APP_KEY_PREVIOUS are the same key.');
        const { unreadable, ...counts } = await withStaff((staff) =>
          new KeyRotation(services.database, staff.database, services.secrets, actor).rotate(),
        );
        if (unreadable.length > 0) {
          process.exitCode = 1;
          return { rows: unreadable.map((value) => ({ unreadable: value })) };
        }
        const losses = await services.auditSeal.renewLosses();
        if (losses.faults.length > 0) process.exitCode = 1;
        const sessions = await dropLogin(ownerUrl, previousKey);
        const login =
          sessions === 0
            ? 'the database login of the previous key was removed'
            : `${sessions} sessions still use the database login of the previous key: restart every process with the new key, then run this command again`;
        const renewed = `Accepted losses of the audit trail signed again: ${losses.renewed}.`;
        return {
          done: [
            `${counts.sealedAnew} secrets re-encrypted, ${counts.asTheyWere} already up to date; ${login}.`,
            ...(losses.renewed > 0 ? [renewed] : []),
            ...losses.faults,
          ],
          facts: {
            ...counts,
            losses_renewed: losses.renewed,
            losses_unreadable: losses.faults,
            sessions_of_old_login: sessions,
          },
        };
      }),
    );
}

function addList(key: Command, run: Run): void {
  key
    .command('list')
    .description('list the access keys of a merchant, newest first')
    .requiredOption('--merchant <code>', 'merchant')
    .action((options) =>
      run(async ({ merchants, keyRevocation }) => {
        const { id } = await merchants.find(options.merchant);
        const keys = await keyRevocation.list(id);
        return {
          rows: keys.map(({ keyId, name, scopes, createdAt, state, until }) => ({
            key: keyId,
            name: name ?? '',
            state,
            scopes: scopes.join(', '),
            created_at: createdAt.toISOString(),
            until: until?.toISOString() ?? '',
          })),
        };
      }),
    );
}

function addRevoke(key: Command, run: Run): void {
  key
    .command('revoke')
    .description('revoke an access key, or all keys of a merchant, immediately and permanently')
    .option('--key <id>', 'key to revoke, ak_…')
    .option('--merchant <code>', 'revoke every key of this merchant')
    .requiredOption('--reason <text>', 'reason, for the audit trail; not shown to merchants', reasonOption)
    .addHelpText(
      'after',
      `
Takes effect with the next request in every process: 401 signature_invalid. A revoked key no longer signs callbacks, because
whoever stole it could forge one. If the merchant has no other key, callbacks wait until it generates a new one in the
console (Access key) and are then delivered; none is lost. Payouts created with the key are still sent; to hold them, run
“merchant suspend”.

Examples:
  key list --merchant acme
  key revoke --key ak_acme_0a1b2c3d4e5f --reason "published by mistake"
  key revoke --merchant acme --reason "laptop stolen"`,
    )
    .action((options) =>
      run(async ({ merchants, keyRevocation }) => {
        if ((options.key === undefined) === (options.merchant === undefined))
          throw new Error('Specify either --key or --merchant.');
        const { keyIds, left } =
          options.key === undefined
            ? await keyRevocation.revokeAll((await merchants.find(options.merchant)).id, options.reason)
            : await keyRevocation.revokeKey(options.key, options.reason);
        const what = keyIds.length === 0 ? 'There was no active key.' : `Revoked: ${keyIds.join(', ')}.`;
        const rest =
          left > 0 ? `${left} other keys remain active.` : 'No key is left: callbacks wait for a new one.';
        return { done: `${what} ${rest}`, facts: { revoked: keyIds, left } };
      }),
    );
}
