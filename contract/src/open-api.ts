import * as z from 'zod';
import { instant } from './lists.ts';
import { phrase } from './phrase.ts';

/** Names the version of the Open API that a call is written for; the reply names the one that was used. */
export const versionHeader = 'Hengfu-Version';

/** A version of the Open API, and when it ends, if that is decided (docs/open-api-versions.md). */
export interface ApiVersion {
  /** The day it was published. */
  name: string;
  /** From when on callers should move to a newer version. */
  deprecatedAt?: Date;
  /** When it stops answering: at least 24 months after a newer version was published. */
  endsAt?: Date;
}

/** Every version that is answered, oldest first. A call that names none gets the oldest. */
export const apiVersions = [{ name: '2026-11-25' }] as const satisfies readonly [ApiVersion, ...ApiVersion[]];

/** The version that new systems are written for. */
export const latestVersion: string = (apiVersions.at(-1) ?? apiVersions[0]).name;

/** How many signed calls of a merchant each web process answers: `quota` in any `windowSeconds`. */
export const callLimits = {
  calls: { quota: 60_000, windowSeconds: 60 },
  /** Lists read many rows. */
  lists: { quota: 600, windowSeconds: 60 },
} as const;
export type CallLimit = keyof typeof callLimits;

/** Contents of the header of a signed call that can be repeated safely. */
export const idempotencyKey = /^[\x21-\x7e]{1,64}$/;

/** Media type of problem details (RFC 9457). */
export const problemType = 'application/problem+json';

/** Where the server describes an error code; a page for people. */
export const errorPagePath = (code: string) => `/docs/errors/${code}`;

/** The body of every error reply to a signed call: problem details (RFC 9457), and the fields of all error replies. */
export const openError = z.object({
  /** The page that describes the code. */
  type: z.string(),
  /** The kind of error: the same text whenever the code is the same. */
  title: z.string(),
  status: z.number().int(),
  /** As `message`. */
  detail: z.string(),
  /** `urn:uuid:` and the request's number. */
  instance: z.string(),
  message: z.string(),
  /** Not a list of codes: it would close what the versions leave open (docs/open-api-versions.md). */
  code: z
    .string()
    .describe(
      'Names the kind of error. Each call lists its codes, and `/docs/errors/<code>` describes each of them; more may be added',
    ),
  request_id: z.string(),
  /** Data about the error, such as the `earlier` payout of `similar_payout`. */
  details: z.record(z.string(), z.unknown()).optional(),
  /** Messages by field, for `validation_failed`. */
  errors: z.record(z.string(), z.array(z.string())).optional(),
});
export type OpenError = z.output<typeof openError>;

const defaultListLimit = '20';

/** The query of a list: its filters, a range of creation times (the end is exclusive), `limit` and `cursor`. */
export function openListQuery<const F extends z.ZodRawShape>(filters: F) {
  return z.strictObject({
    ...filters,
    created_from: instant.optional(),
    created_to: instant.optional(),
    limit: z
      .string()
      .regex(/^([1-9]\d?|100)$/, phrase('validation.listLimit'))
      .default(defaultListLimit)
      .transform(Number),
    cursor: z
      .string()
      .regex(/^[\w-]{1,200}$/, phrase('validation.cursor'))
      .optional(),
  });
}

/** The fields that every such query has after validation. */
export interface OpenListQuery {
  created_from?: string | undefined;
  created_to?: string | undefined;
  limit: number;
  cursor?: string | undefined;
}

/** A page of a list, newest first. `next_cursor` is null on the last page. */
export function openListReply<R extends z.ZodType>(row: R) {
  return z.object({ items: z.array(row), next_cursor: z.string().nullable() });
}
