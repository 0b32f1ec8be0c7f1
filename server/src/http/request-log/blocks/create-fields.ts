import { blockedCreates } from '#domain/blocked-creates.ts';
import type { FieldsByPath } from './block-making.ts';

/** The fields of the calls that are kept in blocks, and of their replies, by path. */
export const createFields: FieldsByPath = Object.fromEntries(
  blockedCreates.map(({ path, body, reply }) => [
    path,
    [...new Set([...Object.keys(body.shape), ...Object.keys(reply.shape)])],
  ]),
);
