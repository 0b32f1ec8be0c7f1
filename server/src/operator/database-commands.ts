import type { Command } from 'commander';
import type { Run } from './operator.ts';

/** Adds the command for the administrators of the database. */
export function databaseCommands(program: Command, run: Run): void {
  program
    .command('database')
    .description('the database that the product runs on')
    .command('login')
    .description('print the login the product uses, as a line of PgBouncer’s auth_file; keep it secret')
    .action(() =>
      run(async ({ login }) => ({ done: `"${login.name}" "${login.password}"`, facts: { ...login } })),
    );
}
