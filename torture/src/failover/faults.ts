import { fill, freeSpace } from '../mounts.ts';
import type { Random } from '../torture.ts';
import type { Cluster } from './cluster.ts';
import { type DatabaseMachine, databasePrograms } from './database-machine.ts';

/** Undoes a fault. */
type Heal = () => Promise<unknown>;

/** A fault of the cluster. */
export interface ClusterFault {
  /** Whether another machine must take the leadership over. */
  movesLeader: boolean;
  inject(cluster: Cluster, random: Random): Promise<Heal>;
}

/** The faults by name. */
export const clusterFaults = {
  'leader killed': {
    movesLeader: true,
    inject: async (cluster) => killed(await cluster.leader()),
  },
  'leader stopped': {
    movesLeader: true,
    inject: async (cluster) => {
      const { machine } = await cluster.leader();
      await machine.signal('SIGSTOP', databasePrograms);
      return () => machine.signal('SIGCONT', databasePrograms);
    },
  },
  'leader cut off': {
    movesLeader: true,
    inject: async (cluster) => {
      const { number } = await cluster.leader();
      await cluster.lan.set(number, 'hole');
      return () => cluster.lan.set(number, 'forwarding');
    },
  },
  'leader’s disk full': {
    movesLeader: true,
    inject: async (cluster) => {
      const { disk } = await cluster.leader();
      await fill(disk);
      return () => freeSpace(disk);
    },
  },
  switchover: {
    movesLeader: true,
    inject: async (cluster) => {
      await cluster.switchOver();
      return async () => {};
    },
  },
  'standby killed': {
    movesLeader: false,
    inject: async (cluster) => killed(await cluster.synchronousStandby()),
  },
  'etcd member killed': {
    movesLeader: false,
    inject: async (cluster, random) => {
      const machine = random.of(cluster.machines);
      await machine.machine.kill(['etcd']);
      return async () => machine.startEtcd();
    },
  },
} satisfies Record<string, ClusterFault>;

export type FaultName = keyof typeof clusterFaults;

/** Kills PostgreSQL and Patroni of a machine. */
async function killed(machine: DatabaseMachine): Promise<Heal> {
  await machine.machine.kill(databasePrograms);
  return async () => machine.startPatroni();
}
