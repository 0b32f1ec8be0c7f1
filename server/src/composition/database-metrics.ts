import { confirmsCommits, countSynchronous, type DatabaseState } from '#db/replication.ts';
import { type Metrics, probeLimitMs } from '#observability/metrics.ts';
import { within } from '#threads/within.ts';

/** Adds gauges of the database's leader and standbys to a process's metrics, read at each scrape. */
export function observeDatabase(metrics: Metrics, readState: () => Promise<DatabaseState>): void {
  const timeline = metrics.gauge(
    'hengfu_database_timeline',
    'Timeline of the database: grows by one with each failover or switchover',
  );
  const commits = metrics.gauge(
    'hengfu_database_synchronous_commit',
    'Whether commits wait for the disk and for the standbys that the database requires',
  );
  const synchronous = metrics.gauge(
    'hengfu_database_synchronous_standbys',
    'Connected standbys that confirm commits; missing if the database requires none',
  );
  const hidden = metrics.gauge(
    'hengfu_database_standbys_hidden',
    'Whether commits need a standby that the owner may not see, because it lacks pg_monitor',
  );
  const lag = metrics.gauge(
    'hengfu_database_standby_lag_bytes',
    'WAL that a connected standby has not replayed yet',
    ['standby'],
  );
  metrics.addProbe(async () => {
    const state = await within(probeLimitMs, readState()).catch(() => undefined);
    // Unknown figures are removed instead of left stale; reset() would report 0.
    for (const gauge of [timeline, commits, synchronous, hidden]) gauge.remove();
    lag.reset();
    if (!state) return;
    timeline.set(state.timeline);
    commits.set(confirmsCommits(state) ? 1 : 0);
    const count = state.needsStandby ? countSynchronous(state) : undefined;
    if (count !== undefined) synchronous.set(count);
    hidden.set(state.needsStandby && count === undefined ? 1 : 0);
    for (const { name, lagBytes } of state.standbys)
      if (lagBytes !== null) lag.set({ standby: name }, lagBytes);
  });
}
