import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type Address, type Block, isInBlocks, parseAddress } from './addresses.ts';

/** Stands for a client whose socket closed before its address could be read. */
const unknownAddress = '0.0.0.0';
/** Trusted proxies in a row; a longer chain is ignored as forged. */
const maxHops = 16;

/** An optional port: a number or an obfuscated identifier (RFC 7239, section 6.2). */
const port = String.raw`(?::(?:\d{1,5}|_[\w.-]+))?`;
const bracketedIpv6 = new RegExp(String.raw`^\[([\da-f]{0,4}:[\da-f:.]{1,45})\]${port}$`, 'i');
const ipv4WithPort = new RegExp(String.raw`^([\d.]{7,15})${port}$`);

/**
 * Parses one node of `X-Forwarded-For` by RFC 7239, section 6: IPv4 or bracketed IPv6 with an optional port, quoted or
 * not. Also accepts bare IPv6, which most proxies send. Returns undefined for `unknown`, obfuscated identifiers and
 * anything malformed.
 */
export function parseNode(text: string): Address | undefined {
  const trimmed = text.trim();
  const node = /^"([^"]*)"$/.exec(trimmed)?.[1] ?? trimmed;
  return parseAddress((bracketedIpv6.exec(node) ?? ipv4WithPort.exec(node))?.[1] ?? node);
}

/** Determines clients' addresses, which are always valid and in canonical form. */
export class ClientAddresses {
  readonly #trustedProxies: readonly Block[];
  readonly #ofSockets = new WeakMap<Socket, Address>();

  constructor(trustedProxies: readonly Block[]) {
    this.#trustedProxies = trustedProxies;
  }

  /** Keeps the address of a new connection, because a socket loses it on closing, possibly before its request is served. */
  remember(socket: Socket): Address | undefined {
    // Node appends the zone to a link-local address. It means nothing on another machine or in the database.
    const address = parseAddress(socket.remoteAddress?.replace(/%.*$/, '') ?? '');
    if (address) this.#ofSockets.set(socket, address);
    return address;
  }

  /**
   * Returns the socket's address or, if that is a trusted proxy, the last address in `X-Forwarded-For` that is not.
   * Falls back to the socket's address where the header holds anything other than an address on the way there.
   */
  of({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): string {
    const peer = this.#ofSockets.get(socket) ?? this.remember(socket);
    if (!peer) return unknownAddress;
    const header = headers['x-forwarded-for'];
    if (typeof header !== 'string' || !isInBlocks(peer, this.#trustedProxies)) return peer.toString();
    return (this.#clientIn(header) ?? peer).toString();
  }

  /** Walks a header from its end, past trusted proxies. If all are trusted, the first one is the client. */
  #clientIn(header: string): Address | undefined {
    const nodes = header.split(',').filter((node) => node.trim() !== '');
    let client: Address | undefined;
    for (const node of nodes.slice(-maxHops).reverse()) {
      client = parseNode(node);
      if (!client || !isInBlocks(client, this.#trustedProxies)) return client;
    }
    return nodes.length > maxHops ? undefined : client;
  }
}
