import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** What a network does to what is sent over it. */
export type Weather =
  | { kind: 'clear' }
  /** Everything arrives in its order, later: each part by a time between the two. */
  | { kind: 'slow'; fromMs: number; toMs: number }
  /** Some bytes at a time. */
  | { kind: 'drip'; bytes: number; everyMs: number }
  /** Nothing arrives, nobody is told; connections can be made. What was held arrives when the weather changes. */
  | { kind: 'hole' }
  /** A hole of a network that forgets: what was open in it stays silent for ever. */
  | { kind: 'forgetfulHole' }
  /** Each connection breaks after so many bytes. */
  | { kind: 'reset'; afterBytes: number }
  /** The side that answers says that it has finished, in the middle of its answer. */
  | { kind: 'halfClose' };

const clear: Weather = { kind: 'clear' };

/** A network between two sides, with a weather that can be changed at any time. */
export class FaultyNetwork {
  readonly port: number;
  readonly #target: number;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #cables = new Set<Cable>();
  #weather: Weather = clear;
  #changed = Promise.withResolvers<void>();

  private constructor(server: Server, target: number) {
    this.#server = server;
    this.#target = target;
    this.port = (server.address() as AddressInfo).port;
    server.on('connection', (near) => this.#carry(near));
  }

  /** Lays it before a port of this machine. */
  static async open(target: number): Promise<FaultyNetwork> {
    const server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new FaultyNetwork(server, target);
  }

  /** An address behind the network, as it is reached through it. */
  urlOf(url: string): string {
    const through = new URL(url);
    through.hostname = '127.0.0.1';
    through.port = String(this.port);
    return through.href.replace(/\/$/, '');
  }

  set weather(weather: Weather) {
    this.#weather = weather;
    if (weather.kind === 'forgetfulHole') for (const cable of this.#cables) cable.isForgotten = true;
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }

  get weather(): Weather {
    return this.#weather;
  }

  /** What was forgotten is given up by both sides, as it is after a quarter of an hour. */
  buryForgotten(): void {
    for (const { near, far, isForgotten } of this.#cables) {
      if (!isForgotten) continue;
      near.destroy();
      far.destroy();
    }
  }

  async close(): Promise<void> {
    this.weather = clear;
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #carry(near: Socket): void {
    const far = connect({ port: this.#target, host: '127.0.0.1', allowHalfOpen: true });
    const cable: Cable = { near, far, carriedBytes: 0, isForgotten: false };
    this.#cables.add(cable);
    far.on('close', () => this.#cables.delete(cable));
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(from);
      let last = Promise.resolve();
      const inTurn = (work: () => Promise<void> | void) => {
        last = last.then(() => this.#arrives(cable)).then((does) => (does ? work() : undefined));
      };
      from.setNoDelay(true);
      from.on('data', (part: Buffer) => inTurn(() => this.#pass(cable, part, to)));
      from.on('end', () => inTurn(() => void to.end()));
      from.on('error', () => {});
      from.on('close', () => {
        this.#sockets.delete(from);
        inTurn(() => void to.destroy());
      });
    }
  }

  /** Waits for a network that lets something through; false where it has forgotten the connection. */
  async #arrives(cable: Cable): Promise<boolean> {
    while (this.#weather.kind === 'hole' || this.#weather.kind === 'forgetfulHole') {
      if (this.#weather.kind === 'forgetfulHole') cable.isForgotten = true;
      await this.#changed.promise;
    }
    return !cable.isForgotten;
  }

  async #pass(cable: Cable, part: Buffer, to: Socket): Promise<void> {
    const { weather } = this;
    if (to.destroyed || to.writableEnded) return;
    cable.carriedBytes += part.length;
    if (weather.kind === 'slow')
      await pause(weather.fromMs + Math.random() * (weather.toMs - weather.fromMs));
    if (weather.kind === 'reset' && cable.carriedBytes > weather.afterBytes) {
      for (const socket of [cable.near, cable.far]) if (!socket.destroyed) socket.resetAndDestroy();
      return;
    }
    if (weather.kind === 'halfClose' && to === cable.near) {
      to.end(part.subarray(0, part.length / 2));
      return;
    }
    if (weather.kind === 'drip') await drip(to, part, weather);
    else to.write(part);
  }
}

/** One connection through the network. */
interface Cable {
  near: Socket;
  far: Socket;
  carriedBytes: number;
  isForgotten: boolean;
}

async function drip(to: Socket, part: Buffer, { bytes, everyMs }: Weather & { kind: 'drip' }): Promise<void> {
  for (let from = 0; from < part.length; from += bytes) {
    if (to.destroyed || to.writableEnded) return;
    to.write(part.subarray(from, from + bytes));
    await pause(everyMs);
  }
}
