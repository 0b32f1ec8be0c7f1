import { Readable } from 'node:stream';
import { type EndpointShape, fileBodyLimits } from '@hengfu/contract/endpoint';
import type { FastifyInstance } from 'fastify';
import { Refusal } from '#domain/refusal.ts';
import { requestTimeoutMs } from './time-limits.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body of the route is a file. */
    isFileBody?: boolean;
  }
}

/** How fast a file has to arrive: on average, beyond the time that every request has, and without long pauses. */
export interface Pace {
  requestMs: number;
  idleMs: number;
  bytesPerSecond: number;
}

const filePace: Pace = { requestMs: requestTimeoutMs, ...fileBodyLimits };

/** The longest time that a file of some bytes may take, in ms. */
const longestMs = (bytes: number, { requestMs, bytesPerSecond }: Pace) =>
  requestMs + (bytes / bytesPerSecond) * 1000;

/**
 * Lets the files that some endpoints take arrive for as long as they keep the pace. Node has one limit for all requests of a server, which
 * is raised to the time of the largest file; all other bodies keep theirs.
 */
export function takeFiles(
  app: FastifyInstance,
  endpoints: readonly EndpointShape[],
  requestMs = requestTimeoutMs,
): void {
  const sizes = endpoints.flatMap(({ isFileBody, bodyLimitBytes = 0 }) =>
    isFileBody ? [bodyLimitBytes] : [],
  );
  app.server.requestTimeout = longestMs(Math.max(0, ...sizes), { ...filePace, requestMs });
  app.addHook('onRequest', ({ raw, routeOptions }, _reply, done) => {
    const hasBody =
      raw.headers['content-length'] !== undefined || raw.headers['transfer-encoding'] !== undefined;
    if (hasBody && !routeOptions.config?.isFileBody) {
      const timer = setTimeout(() => {
        if (!raw.complete) raw.socket.destroy();
      }, requestMs).unref();
      raw.once('close', () => clearTimeout(timer));
    }
    done();
  });
}

/**
 * Passes a file on while its sender keeps the pace. Only the time that the reader waits for the sender counts, so that a slow disk is not
 * taken for a slow sender. Reading throws `upload_stalled`.
 */
export function paced(body: Readable, pace: Pace = filePace): Readable {
  return Readable.from(chunksOf(body, pace), { objectMode: false });
}

async function* chunksOf(body: Readable, pace: Pace): AsyncGenerator<Buffer> {
  // The rest of a refused file is still received, so that its sender gets to read the reply.
  const chunks: AsyncIterator<Buffer> = body.iterator({ destroyOnReturn: false });
  let bytes = 0;
  let waitedMs = 0;
  let isWaiting = false;
  try {
    for (;;) {
      const begunAt = performance.now();
      isWaiting = true;
      const next = await inTime(chunks.next(), Math.min(pace.idleMs, longestMs(bytes, pace) - waitedMs));
      isWaiting = false;
      if (next.done) return;
      waitedMs += performance.now() - begunAt;
      bytes += next.value.length;
      yield next.value;
    }
  } finally {
    // It would wait for a chunk that may never come.
    if (!isWaiting) await chunks.return?.();
  }
}

/** Awaits a part of a file. Throws `upload_stalled` after `limitMs`. */
async function inTime<T>(part: Promise<T>, limitMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Refusal('upload_stalled')), limitMs);
  });
  try {
    return await Promise.race([part, late]);
  } finally {
    clearTimeout(timer);
  }
}
