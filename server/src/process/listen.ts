import { lookup } from 'node:dns/promises';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';

/**
 * Listens at one address of a host, and returns the port. At `localhost`, Fastify would open a second server for the host's other
 * address, whose connections have neither the limits of the first one nor a caller's address.
 */
export async function listen(
  app: FastifyInstance,
  { port, host }: { port: number; host: string },
): Promise<number> {
  await app.listen({ port, host: await oneAddressOf(host) });
  return (app.server.address() as AddressInfo).port;
}

/** Returns the address of a host at which the product listens. */
export async function oneAddressOf(host: string): Promise<string> {
  return host === 'localhost' ? (await lookup(host, { order: 'ipv4first' })).address : host;
}
