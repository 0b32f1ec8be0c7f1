import type { Command } from 'commander';
import { dropLogin } from '#db/login.ts';
import { KeyRotation } from '../features/key-rotation/key-rotation.service.ts';
import type { Run } from './operator.ts';

/** The application's key. */
export function keyCommands(program: Command, run: Run): void {
  program
    .command('key')
    .description('the application’s key, APP_KEY')
    .command('rotate')
    .description(
      'encrypt under APP_KEY what is still encrypted under APP_KEY_PREVIOUS, while the product runs with both; then ' +
        'the old key’s database login is removed, unless a process still uses it. Can be ended and run again',
    )
    .action(() =>
      run(async ({ services, keys, ownerUrl, actor }) => {
        const { appKey, otherKey } = keys;
        if (!otherKey)
          throw new Error('APP_KEY_PREVIOUS is needed: the key from before, beside the new APP_KEY.');
        if (otherKey.equals(appKey)) throw new Error('APP_KEY and APP_KEY_PREVIOUS are the same key.');
        const { unreadable, ...counts } = await new KeyRotation(
          services.database,
          services.secrets,
          actor,
        ).rotate();
        if (unreadable.length > 0) {
          process.exitCode = 1;
          return { rows: unreadable.map((value) => ({ unreadable: value })) };
        }
        const sessions = await dropLogin(ownerUrl, otherKey);
        const login =
          sessions === 0
            ? 'the old key’s database login is gone'
            : `${sessions} sessions still use the old key’s database login: give every process the new key, then run this again`;
        return {
          done: `${counts.sealedAnew} secrets encrypted anew, ${counts.asTheyWere} were already; ${login}.`,
          facts: { ...counts, sessions_of_old_login: sessions },
        };
      }),
    );
}
