import { existsSync } from 'node:fs';
import { missingProgram, needsRoot, type Obstacle } from '@hengfu/server/testing/obstacle.ts';
import { refusalOfSystem } from '../mounts.ts';
import { Lan } from './lan.ts';
import { CommandRefused } from './machine.ts';

/** Where Debian puts the programs of PostgreSQL 15, as `deploy/ha/patroni.yml` says. */
const postgresProgram = '/usr/lib/postgresql/15/bin/postgres';

/** Programs by the Debian package that has them. */
const programs = {
  patroni: 'patroni',
  etcd: 'etcd-server',
  haproxy: 'haproxy',
  pgbouncer: 'pgbouncer',
  python3: 'python3',
  ip: 'iproute2',
  bridge: 'iproute2',
  nsenter: 'util-linux',
  setpriv: 'util-linux',
} as const;

/** Returns why no cluster can be started here; undefined if it can. */
export async function obstacleToCluster(): Promise<Obstacle | undefined> {
  for (const [program, debianPackage] of Object.entries(programs)) {
    const obstacle = missingProgram(program, debianPackage);
    if (obstacle) return obstacle;
  }
  if (!existsSync(postgresProgram))
    return {
      kind: 'package',
      reason: 'PostgreSQL 15 is not installed (Debian: apt-get install postgresql-15)',
    };
  if (needsRoot) return needsRoot;
  try {
    const lan = await Lan.open();
    await lan.close();
    return undefined;
  } catch (error) {
    if (error instanceof CommandRefused)
      return { kind: 'privilege', reason: `the system refuses: ${error.message}` };
    return refusalOfSystem(error);
  }
}
