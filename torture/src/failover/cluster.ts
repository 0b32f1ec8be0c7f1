import { randomBytes } from 'node:crypto';
import { until } from '@hengfu/server/testing/until.ts';
import { DatabaseMachine } from './database-machine.ts';
import { Lan } from './lan.ts';

const machineCount = 3;
/** Initialization, and two copies of it. */
const startWithinMs = 120_000;
const callTimeoutMs = 2000;
const patroniPort = 8008;
const postgresPort = 5432;
const restAccount = 'patroni';

/** A member of the cluster as Patroni reports it. */
interface Member {
  name: string;
  role: string;
  state: string;
  timeline?: number;
}

/** Three PostgreSQL servers under Patroni and etcd, each on a machine of its own. */
export class Cluster {
  readonly lan: Lan;
  readonly machines: readonly DatabaseMachine[];
  /** Values for the templates of `deploy/ha` that all machines share. */
  readonly values: Readonly<Record<string, string>>;

  private constructor(lan: Lan, machines: readonly DatabaseMachine[], values: Record<string, string>) {
    this.lan = lan;
    this.machines = machines;
    this.values = values;
  }

  /** Starts it with an empty database of the product. Files and logs go to the folder. */
  static async start(folder: string): Promise<Cluster> {
    const lan = await Lan.open();
    const machines: DatabaseMachine[] = [];
    try {
      for (let number = 0; number < machineCount; number++)
        machines.push(await DatabaseMachine.open(lan, number, folder));
      const secrets = ['SUPERUSER', 'REPLICATION', 'REWIND', 'REST', 'OWNER'].map((name) => [
        `HA_${name}_PASSWORD`,
        randomBytes(24).toString('hex'),
      ]);
      const addresses = machines.map(({ address }, index) => [`HA_ADDRESS_${index + 1}`, address]);
      const values = { HA_NETWORK: lan.network, ...Object.fromEntries([...secrets, ...addresses]) };
      const cluster = new Cluster(lan, machines, values);
      for (const machine of machines) await machine.begin(values);
      const leader = await cluster.whole(startWithinMs);
      await leader.createDatabase();
      return cluster;
    } catch (error) {
      for (const machine of machines) await machine.end();
      await lan.close();
      throw error;
    }
  }

  /**
   * Waits until one machine leads, the other two follow its timeline, and one of them is the synchronous
   * standby. Resolves with the leader. Throws after the timeout.
   */
  async whole(timeoutMs: number): Promise<DatabaseMachine> {
    const members = await until(() => this.members(), isWhole, timeoutMs);
    return this.#machine(members.find(isLeader)?.name);
  }

  /** The machine that holds the lease. Throws if none does. */
  async leader(): Promise<DatabaseMachine> {
    return this.#machine((await this.members()).find(isLeader)?.name);
  }

  /** The synchronous standby. Throws if there is none. */
  async synchronousStandby(): Promise<DatabaseMachine> {
    return this.#machine((await this.members()).find(({ role }) => role === 'sync_standby')?.name);
  }

  /** The address of the database by the names of all three hosts, for the owner. */
  get ownerUrl(): string {
    const hosts = this.machines.map(({ address }) => `${address}:${postgresPort}`).join(',');
    return `postgres://${ownerOf(this.values)}@${hosts}/hengfu?target_session_attrs=read-write`;
  }

  /** Moves the leadership to the synchronous standby, as `patronictl switchover` does. */
  async switchOver(): Promise<void> {
    const leader = await this.leader();
    const account = `${restAccount}:${this.values.HA_REST_PASSWORD}`;
    const reply = await fetch(`http://${leader.address}:${patroniPort}/switchover`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(account).toString('base64')}` },
      body: JSON.stringify({ leader: leader.name }),
    });
    if (!reply.ok) throw new Error(`switchover: ${reply.status} ${await reply.text()}`);
  }

  /** The members as the first machine that answers reports them; empty if none answers. */
  async members(): Promise<Member[]> {
    for (const { address } of this.machines) {
      const signal = AbortSignal.timeout(callTimeoutMs);
      try {
        const reply = await fetch(`http://${address}:${patroniPort}/cluster`, { signal });
        if (reply.ok) return ((await reply.json()) as { members: Member[] }).members;
      } catch {
        // Its machine is the one with the fault, or has no time; the next one knows as much.
      }
    }
    return [];
  }

  async close(): Promise<void> {
    for (const machine of this.machines) await machine.end();
    await this.lan.close();
  }

  #machine(name: string | undefined): DatabaseMachine {
    const found = this.machines.find((machine) => machine.name === name);
    if (!found) throw new Error('no machine has this role now');
    return found;
  }
}

/** Name and password of the database's owner, as `database.sql` creates it. */
export const ownerOf = (values: Readonly<Record<string, string>>): string =>
  `hengfu:${values.HA_OWNER_PASSWORD}`;

const isLeader = ({ role }: Member) => role === 'leader';

function isWhole(members: readonly Member[]): boolean {
  const leader = members.find(isLeader);
  const followers = members.filter(({ role }) => role === 'sync_standby' || role === 'replica');
  return (
    leader?.state === 'running' &&
    followers.length === machineCount - 1 &&
    followers.every(
      ({ state, timeline }) => /running|streaming/.test(state) && timeline === leader.timeline,
    ) &&
    followers.some(({ role }) => role === 'sync_standby')
  );
}
