import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { type RunningSandbox, type SandboxOptions, startSandbox } from './server.ts';
import {
  matchesSignature,
  signatureHeader,
  signCallback,
  signRequest,
  timestampHeader,
  unixSeconds,
} from './signature.ts';

/** The secret that tests share with their bank. */
export const testSecret = 'a-secret-of-the-tests';

const callbackBody = z.strictObject({
  id: z.string(),
  type: z.string(),
  reference: z.string(),
  bankId: z.string(),
  amountMinor: z.string(),
  currency: z.string(),
  occurredAt: z.iso.datetime(),
  reason: z.string().optional(),
});

/** A callback that arrived, and whether its signature was right. */
export type Received = { body: z.output<typeof callbackBody>; isSigned: boolean; arrivedAtMs: number };

/**
 * Starts a bank with short delays, and stops it after the test. Pass `dataDirectory` to reuse the data of
 * another bank.
 */
export async function startTestSandbox(
  options: Partial<SandboxOptions> = {},
): Promise<RunningSandbox & { dataDirectory: string }> {
  const dataDirectory = options.dataDirectory ?? (await temporaryDirectory());
  const timings = {
    delayedMs: 40,
    lateAfterMs: 20,
    holdMs: 40,
    retryDelaysMs: [20] as const,
    ...options.timings,
  };
  const sandbox = await startSandbox({ secret: testSecret, ...options, dataDirectory, timings });
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= sandbox.close());
  onTestFinished(close);
  return { ...sandbox, close, dataDirectory };
}

/** Creates a directory that is deleted after the test. */
export async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'sandbox-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

/** Makes a signed call like the service; the reply's JSON is untyped. */
export async function call(
  sandbox: { url: string },
  method: 'GET' | 'POST',
  path: string,
  payload?: unknown,
) {
  const body = payload === undefined ? '' : JSON.stringify(payload);
  const timestamp = unixSeconds(Date.now());
  const response = await fetch(sandbox.url + path, {
    method,
    headers: {
      ...(body === '' ? {} : { 'content-type': 'application/json' }),
      [timestampHeader]: timestamp,
      [signatureHeader]: signRequest(testSecret, { method, path, timestamp, body }),
    },
    ...(body === '' ? {} : { body }),
  });
  return { status: response.status, json: z.record(z.string(), z.unknown()).parse(await response.json()) };
}

/** Builds a body that creates an order; the reference is unique in the test. */
export function order(
  reference: string,
  amountMinor: string,
  notifyUrl: string,
  more: Record<string, unknown> = {},
) {
  const expiresAt = new Date(Date.now() + 1_800_000).toISOString();
  return { reference, amountMinor, currency: 'CNY', method: 'CN_BANK', notifyUrl, expiresAt, ...more };
}

/**
 * Starts a receiver of callbacks. `answer` returns the status for each, 200 by default, and may be
 * asynchronous.
 */
export async function startReceiver(answer: (received: Received) => number | Promise<number> = () => 200) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const one = await read(request);
    received.push(one);
    server.emit('callback');
    response.writeHead(await answer(one)).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });

  /** Waits until `count` callbacks have arrived, and returns all of them. */
  async function arrived(count: number): Promise<Received[]> {
    while (received.length < count) await once(server, 'callback');
    return received;
  }
  /** Waits for the first callback. */
  async function first(): Promise<Received> {
    const [one] = await arrived(1);
    if (one === undefined) throw new Error('No callback arrived.');
    return one;
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/notify`,
    received,
    arrived,
    first,
  };
}

async function read(request: IncomingMessage): Promise<Received> {
  const arrivedAtMs = Date.now();
  let raw = '';
  for await (const chunk of request.setEncoding('utf8')) raw += chunk;
  const timestamp = String(request.headers[timestampHeader]);
  const isSigned = matchesSignature(
    signCallback(testSecret, timestamp, raw),
    String(request.headers[signatureHeader]),
  );
  return { body: callbackBody.parse(JSON.parse(raw)), isSigned, arrivedAtMs };
}
