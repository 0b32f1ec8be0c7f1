import { run } from '../mounts.ts';
import { Machine } from './machine.ts';

/** Addresses reserved for tests of networks (RFC 2544); the third number is this process's own. */
const network = `198.18.${process.pid % 250}`;
/** The device that connects this machine. */
const cable = `hengfu${process.pid}`;
const firstHost = 11;
const hubDiskKiB = 64;
/** States of a port of a bridge: without forwarding, packets vanish while the cable stays plugged in. */
const portStates = { hole: '0', forwarding: '3' } as const;

/** A network of machines, joined by a switch that can drop everything from and to one of them. */
export class Lan {
  /** The network in CIDR notation. */
  readonly network = `${network}.0/24`;
  readonly #hub: Machine;

  private constructor(hub: Machine) {
    this.#hub = hub;
  }

  /** Makes the switch and connects this machine to it. */
  static async open(): Promise<Lan> {
    const hub = await Machine.start(hubDiskKiB);
    try {
      await run('ip', [
        'link',
        'add',
        cable,
        'type',
        'veth',
        'peer',
        'name',
        'outside',
        'netns',
        `${hub.pid}`,
      ]);
      await run('ip', ['address', 'add', `${network}.1/24`, 'dev', cable]);
      await run('ip', ['link', 'set', 'dev', cable, 'up']);
      await hub.run('ip', 'link', 'add', 'switch', 'type', 'bridge');
      for (const device of ['switch', 'outside']) await hub.run('ip', 'link', 'set', 'dev', device, 'up');
      await hub.run('ip', 'link', 'set', 'dev', 'outside', 'master', 'switch');
      return new Lan(hub);
    } catch (error) {
      await hub.end();
      throw error;
    }
  }

  /** Connects a machine; returns its address. */
  async connect(machine: Machine, number: number): Promise<string> {
    const address = `${network}.${firstHost + number}`;
    const port = portOf(number);
    const pids = { hub: String(this.#hub.pid), machine: String(machine.pid) };
    const far = ['peer', 'name', 'lan', 'netns', pids.machine];
    await run('ip', ['link', 'add', 'name', port, 'netns', pids.hub, 'type', 'veth', ...far]);
    await this.#hub.run('ip', 'link', 'set', 'dev', port, 'master', 'switch', 'up');
    await machine.run('ip', 'address', 'add', `${address}/24`, 'dev', 'lan');
    await machine.run('ip', 'link', 'set', 'dev', 'lan', 'up');
    return address;
  }

  /** Drops all packets from and to a machine, or forwards them again. */
  async set(number: number, state: keyof typeof portStates): Promise<void> {
    await this.#hub.run('bridge', 'link', 'set', 'dev', portOf(number), 'state', portStates[state]);
  }

  /** Removes the network. Its machines must have ended. */
  async close(): Promise<void> {
    // The kernel removes the devices of a network that has ended some time later: another one may come before.
    await run('ip', ['link', 'delete', cable]).finally(() => this.#hub.end());
  }
}

const portOf = (number: number) => `port${number}`;
