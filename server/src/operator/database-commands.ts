import type { Command } from 'commander';
import { describeHosts } from '#db/hosts/writable-host.ts';
import {
  type DatabaseState,
  readDatabaseState,
  replicationFaults,
  type StandbyState,
} from '#db/replication.ts';
import { parseDatabaseUrl } from '#security/database-url.ts';
import type { Run, RunAsOwner } from './operator.ts';

/** Adds the commands for the administrators of the database. */
export function databaseCommands(program: Command, run: Run, runAsOwner: RunAsOwner): void {
  const database = program.command('database').description('the database that the product runs on');
  database
    .command('login')
    .description('print the login the product uses, as a line of PgBouncer’s auth_file; keep it secret')
    .action(() =>
      run(async ({ login }) => ({ done: `"${login.name}" "${login.password}"`, facts: { ...login } })),
    );
  database
    .command('status')
    .description('show which host accepts writes, its standbys, and what would endanger acknowledged orders')
    .action(() =>
      runAsOwner(async ({ ownerUrl }) => {
        const { hosts } = parseDatabaseUrl(ownerUrl);
        const described = hosts.length > 1 ? await describeHosts(hosts) : [];
        const state = await readDatabaseState(ownerUrl);
        const faults = replicationFaults(state, hosts.length > 1);
        return {
          done: [leaderLine(state), ...state.standbys.map(standbyLine), ...described, ...faults],
          facts: { ...state, hosts: described, faults },
        };
      }),
    );
}

function leaderLine({ host, version, timeline, synchronousCommit, needsStandby }: DatabaseState): string {
  const standbys = needsStandby ? 'commits wait for a synchronous standby' : 'no standby is required';
  return `${host} accepts writes: PostgreSQL ${version}, timeline ${timeline}; synchronous_commit is ${synchronousCommit}, ${standbys}`;
}

function standbyLine({ name, address, isStreaming, isSynchronous, lagBytes }: StandbyState): string {
  const kind = isSynchronous === null ? 'state hidden' : isSynchronous ? 'synchronous' : 'asynchronous';
  const state = isStreaming === false ? ', catching up' : '';
  return `standby ${name} (${address ?? 'address hidden'}): ${kind}${state}, ${lagBytes ?? 'unknown'} bytes behind`;
}
