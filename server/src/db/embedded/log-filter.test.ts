import { expect, it } from 'vitest';
import { LogFilter } from './log-filter.ts';

it('shows startup, shutdown and problems with their details, and no statements', () => {
  const filter = new LogFilter();
  const shown = [
    'LOG:  starting PostgreSQL 18.4',
    'LOG:  database system was not properly shut down; automatic recovery in progress',
    'FATAL:  the database system is starting up',
    'LOG:  database system is ready to accept connections',
    'ERROR:  duplicate key value violates unique constraint "users_email_key"',
    'DETAIL:  Key (email)=(a@b.test) already exists.',
    'WARNING:  page verification failed',
    'DETAIL:  block 7',
    '\tof the file',
    'FATAL:  terminating connection due to administrator command',
    'PANIC:  could not write to file',
  ].filter((line) => filter.shows(line));
  expect(shown).toEqual([
    'LOG:  database system was not properly shut down; automatic recovery in progress',
    'LOG:  database system is ready to accept connections',
    'WARNING:  page verification failed',
    'DETAIL:  block 7',
    '\tof the file',
    'PANIC:  could not write to file',
  ]);
  expect(filter.latest()).toContain('duplicate key');
});
