import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type * as z from 'zod';
import { parseReply } from '#domain/validate.ts';

/** The media type of a reply in lines of JSON. */
export const linesType = 'application/x-ndjson';

/**
 * Sends replies as lines of JSON, as they become ready. An error before the first one is thrown and gets the usual error
 * reply; a later one ends the connection, so that nobody mistakes the last line for the result.
 */
export async function sendLines(
  reply: FastifyReply,
  schema: z.ZodType,
  replies: AsyncGenerator<unknown>,
): Promise<FastifyReply> {
  const lines = linesOf(schema, replies);
  const first = await lines.next();
  const all = async function* () {
    if (first.done) return;
    yield first.value;
    yield* lines;
  };
  return (
    reply
      .type(`${linesType}; charset=utf-8`)
      // A proxy must not hold lines back.
      .header('x-accel-buffering', 'no')
      .send(Readable.from(all()))
  );
}

async function* linesOf(schema: z.ZodType, replies: AsyncGenerator<unknown>): AsyncGenerator<string> {
  for await (const each of replies) yield `${JSON.stringify(await parseReply(schema, each))}\n`;
}
