import type { EndpointShape } from '@hengfu/contract/endpoint';
import { errorReply } from '@hengfu/contract/error-reply';
import { type ErrorCode, errorStatus } from '@hengfu/contract/errors';
import { openError, problemType } from '@hengfu/contract/open-api';
import { liveOnlyPerms } from '@hengfu/contract/permissions';
import { merchantHeader } from '@hengfu/contract/workplaces';
import * as z from 'zod';
import { linesType } from './lines.ts';
import {
  headersOf,
  infoOf,
  needsOf,
  repeatErrors,
  signedErrors,
  signedHeaders,
  signedParameters,
} from './open-api/document-parts.ts';

/** Codes that any call of an access type may return besides its own. */
const commonErrors: Record<EndpointShape['access'], readonly ErrorCode[]> = {
  public: ['validation_failed', 'too_many_requests', 'unavailable'],
  session: [
    'unauthenticated',
    'forbidden',
    'merchant_choice_required',
    'merchant_switched',
    'csrf_mismatch',
    'validation_failed',
    'unavailable',
  ],
  staff: [
    'unauthenticated',
    'forbidden',
    'two_factor_required',
    'two_factor_challenge_required',
    'csrf_mismatch',
    'validation_failed',
    'unavailable',
  ],
  signed: signedErrors,
};

/** Codes that are returned before the caller is known: for an unreadable URL, and for an unreadable body. */
const urlErrors: readonly ErrorCode[] = ['bad_request'];
const bodyErrors: readonly ErrorCode[] = ['payload_too_large', 'unsupported_media_type'];

/** Builds an OpenAPI 3.1 document of some endpoints. */
export function openApiDocument(title: string, endpoints: readonly EndpointShape[]): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}');
    const methods = paths[path] ?? {};
    methods[endpoint.method.toLowerCase()] = operation(endpoint);
    paths[path] = methods;
  }
  const isSigned = endpoints.every(({ access }) => access === 'signed');
  const isOfStaff = endpoints.some(({ access }) => access === 'staff');
  return {
    openapi: '3.1.0',
    info: { title, version: '1.0.0', ...infoOf(isSigned) },
    servers: [{ url: '/' }],
    tags: [...new Set(endpoints.map(tagOf))].sort().map((name) => ({ name })),
    paths,
    components: {
      schemas: { Error: jsonSchema(isSigned ? openError : errorReply, 'output') },
      ...(isSigned && { headers: signedHeaders }),
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: 'hengfu_session' },
        signature: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Signature',
          description: 'Sent with the headers X-Key, X-Timestamp and X-Nonce',
        },
        ...(isOfStaff && {
          staffSession: { type: 'apiKey', in: 'cookie', name: 'hengfu_staff_session' },
        }),
      },
    },
  };
}

/** Returns the segments of a path, without those that all have in common. */
function segmentsOf({ path }: EndpointShape): string[] {
  return path.replace(/^\/(openapi\/v1|api\/merchant|api)\//, '').split('/');
}

/** Returns the subject of an endpoint: the first segment of its path. */
function tagOf(endpoint: EndpointShape): string {
  return segmentsOf(endpoint)[0] ?? '';
}

/** Names an operation after its path: `postCollectionsByTradeNoCancel`. */
function operationIdOf(endpoint: EndpointShape): string {
  const words = segmentsOf(endpoint).flatMap((segment) => segment.replace(':', 'by-').split(/[-_.]/));
  const capitalized = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return endpoint.method.toLowerCase() + capitalized.join('');
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

const pageMerchant = {
  name: merchantHeader,
  in: 'header',
  required: false,
  description:
    'Code of the merchant whose page makes the call. A person of several merchants must name it in writes',
  schema: { type: 'string' },
};

function operation(endpoint: EndpointShape): object {
  const parameters = [
    ...parametersOf(endpoint.params, 'path', endpoint.example?.params),
    ...parametersOf(endpoint.query, 'query', endpoint.example?.query),
    ...(endpoint.isIdempotent ? [idempotencyKey] : []),
    ...(endpoint.access === 'session' && endpoint.level !== 'password' ? [pageMerchant] : []),
    ...(endpoint.access === 'signed' ? signedParameters(endpoint) : []),
  ];
  return {
    operationId: operationIdOf(endpoint),
    tags: [tagOf(endpoint)],
    summary: endpoint.summary,
    description: needsOf(endpoint),
    security: securityOf(endpoint),
    ...(parameters.length > 0 && { parameters }),
    ...(endpoint.body && {
      requestBody: {
        required: true,
        content: json(jsonSchema(endpoint.body, 'input'), endpoint.example?.body),
      },
    }),
    ...(endpoint.isFileBody && {
      requestBody: { required: true, content: { 'application/octet-stream': {} } },
    }),
    responses: { [endpoint.status]: successOf(endpoint), ...errorsOf(endpoint) },
  };
}

/** Names what a call has to carry. A staff session is named with the permission that it needs. */
function securityOf({ access, staffPerm }: EndpointShape): object[] {
  if (access === 'public') return [];
  if (access === 'staff') return [{ staffSession: staffPerm ? [staffPerm] : [] }];
  return [access === 'session' ? { session: [] } : { signature: [] }];
}

function parametersOf(
  schema: z.ZodObject | undefined,
  location: 'path' | 'query',
  examples: Readonly<Record<string, string>> = {},
): object[] {
  if (!schema) return [];
  return Object.entries(schema.shape).map(([name, field]) => ({
    name,
    in: location,
    required: location === 'path' || !z.safeParse(field as z.ZodType, undefined).success,
    schema: jsonSchema(field as z.ZodType, 'input'),
    ...(name in examples && { example: examples[name] }),
  }));
}

function successOf(endpoint: EndpointShape): object {
  if (endpoint.isFile) {
    const file = { schema: { type: 'string', format: 'binary' } };
    return { description: 'The file', content: { 'application/octet-stream': file } };
  }
  if (!endpoint.reply) return { description: 'Done' };
  if (endpoint.isStreamed) {
    const line = { schema: jsonSchema(endpoint.reply, 'output') };
    return { description: 'Done; one reply per line', content: { [linesType]: line } };
  }
  return {
    description: 'Done',
    ...(endpoint.access === 'signed' && { headers: headersOf(endpoint) }),
    content: json(jsonSchema(endpoint.reply, 'output')),
  };
}

/** The errors of a call that is made in the other mode, or that names an order of it. */
function modeErrorsOf({ access, errors, mode, perm }: EndpointShape): readonly ErrorCode[] {
  if (access === 'signed') return errors.includes('not_found') ? ['wrong_mode'] : [];
  if (mode === 'test') return ['test_mode_only'];
  return mode === 'live' || (perm && liveOnlyPerms.includes(perm)) ? ['live_mode_only'] : [];
}

function errorsOf(endpoint: EndpointShape): Record<string, object> {
  const ofBody = endpoint.method === 'GET' ? [] : bodyErrors;
  const needsToken = endpoint.access === 'public' && endpoint.method !== 'GET' && !endpoint.crossSite;
  const ofToken: readonly ErrorCode[] = needsToken ? ['csrf_mismatch'] : [];
  const ofRepeats = endpoint.access === 'signed' && endpoint.method !== 'GET' ? repeatErrors : [];
  const isLimited = endpoint.isSignIn || endpoint.bodyLimitBytes !== undefined;
  const ofLimit: readonly ErrorCode[] = isLimited ? ['too_many_requests'] : [];
  const codes = [
    ...commonErrors[endpoint.access],
    ...urlErrors,
    ...ofBody,
    ...ofToken,
    ...ofLimit,
    ...ofRepeats,
    ...modeErrorsOf(endpoint),
    ...endpoint.errors,
  ];
  const byStatus = Map.groupBy(new Set(codes), (code) => errorStatus[code]);
  const schema = { $ref: '#/components/schemas/Error' };
  const isSigned = endpoint.access === 'signed';
  return Object.fromEntries(
    [...byStatus].map(([status, names]) => [
      status,
      {
        description: names.join(', '),
        ...(isSigned && { headers: headersOf(endpoint) }),
        content: isSigned ? { [problemType]: { schema } } : json(schema),
      },
    ]),
  );
}

function json(schema: object, example?: object): object {
  return { 'application/json': { schema, ...(example && { example }) } };
}

/** Returns the JSON Schema of a request (`input`) or a reply (`output`). Replies may get fields that callers do not know yet, so theirs are open. */
function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): object {
  const { $schema, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema: made }) => {
      if (io === 'output' && made.additionalProperties === false) delete made.additionalProperties;
    },
  });
  return rest;
}
