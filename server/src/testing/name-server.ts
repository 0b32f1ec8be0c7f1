import { createSocket } from 'node:dgram';
import { once } from 'node:events';

const types = { 1: 'A', 28: 'AAAA' } as const;
type RecordType = (typeof types)[keyof typeof types];

const headerBytes = 12;
/** QR, RD and RA: the response of a recursive server. */
const responseFlags = 0x8180;
const nameError = 3;
/** Points to the name in the question (RFC 1035, 4.1.4). */
const nameOfQuestion = 0xc00c;
const internetClass = 1;

/**
 * Returns the addresses of a name for a record type; undefined if the name does not exist, `silent` for no
 * response.
 */
export type Zone = (name: string, type: RecordType) => readonly string[] | 'silent' | undefined;

/** A DNS server on loopback (RFC 1035) that answers from a function, with a time to live of zero. */
export class NameServer {
  /** Queries received, in order, such as `A shop.test`. */
  readonly queries: string[] = [];
  readonly #socket = createSocket('udp4');
  readonly #zone: Zone;

  constructor(zone: Zone) {
    this.#zone = zone;
    this.#socket.on('message', (query, { port, address }) => {
      const answer = this.#answer(query);
      if (answer) this.#socket.send(answer, port, address);
    });
  }

  /** Listens on a free port and returns the address as `Resolver.setServers` takes it. */
  async listen(): Promise<string> {
    this.#socket.bind(0, '127.0.0.1');
    await once(this.#socket, 'listening');
    return `127.0.0.1:${this.#socket.address().port}`;
  }

  close(): void {
    this.#socket.close();
  }

  #answer(query: Buffer): Buffer | undefined {
    const labels: string[] = [];
    let at = headerBytes;
    for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length));
      at += 1 + length;
    }
    const question = query.subarray(headerBytes, at + 5);
    const type = types[query.readUInt16BE(at + 1) as keyof typeof types];
    this.queries.push(`${type} ${labels.join('.')}`);
    const addresses = this.#zone(labels.join('.'), type);
    if (addresses === 'silent') return undefined;
    const header = Buffer.alloc(headerBytes);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(responseFlags | (addresses ? 0 : nameError), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(addresses?.length ?? 0, 6);
    return Buffer.concat([header, question, ...(addresses ?? []).map((address) => record(type, address))]);
  }
}

function record(type: RecordType, address: string): Buffer {
  const data = type === 'A' ? Buffer.from(address.split('.').map(Number)) : ipv6Bytes(address);
  const head = Buffer.alloc(12);
  head.writeUInt16BE(nameOfQuestion, 0);
  head.writeUInt16BE(type === 'A' ? 1 : 28, 2);
  head.writeUInt16BE(internetClass, 4);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

function ipv6Bytes(address: string): Buffer {
  const [head = [], tail = []] = address.split('::').map((half) => half.split(':').filter(Boolean));
  const groups = [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail];
  return Buffer.from(groups.map((group) => group.padStart(4, '0')).join(''), 'hex');
}
