import { readError } from '@hengfu/client/http-reply.ts';
import { shownInPlace } from '@hengfu/client/in-place.ts';
import { send } from '@hengfu/client/request.ts';
import { queryOptions } from '@tanstack/react-query';
import * as z from 'zod';

/** The address of the OpenAPI document of all signed calls. */
export const documentPath = '/api/docs/open.json';

const parameter = z.object({
  name: z.string(),
  in: z.enum(['path', 'query', 'header']),
  required: z.boolean(),
  description: z.string().optional(),
  example: z.string().optional(),
});
export type Parameter = z.output<typeof parameter>;

const bodyContent = z.object({
  'application/json': z.object({ example: z.record(z.string(), z.unknown()).default({}) }),
});

const operation = z.object({
  operationId: z.string(),
  tags: z.array(z.string()),
  summary: z.string(),
  description: z.string().default(''),
  parameters: z.array(parameter).default([]),
  requestBody: z.object({ content: bodyContent }).optional(),
  responses: z.record(z.string(), z.object({ description: z.string() })),
});

const openDocument = z.object({ paths: z.record(z.string(), z.record(z.string(), operation)) });

/** One call, as the OpenAPI document describes it. */
export interface Operation {
  id: string;
  /** The subject of the call: `collections`. */
  group: string;
  method: 'GET' | 'POST';
  /** With `{name}` for each parameter. */
  path: string;
  summary: string;
  /** The scope that the key needs. */
  description: string;
  parameters: readonly Parameter[];
  /** An example of the body; undefined for a call without one. */
  body: Readonly<Record<string, unknown>> | undefined;
  /** The statuses, each with the codes of its errors. */
  replies: readonly { status: number; codes: readonly string[] }[];
}

/** The header that every call from here sends. */
const versionHeader = 'Hengfu-Version';

/** Lists the calls of a document. */
function operationsOf({ paths }: z.output<typeof openDocument>): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, found]) => ({
      id: found.operationId,
      group: found.tags[0] ?? '',
      method: method === 'get' ? 'GET' : 'POST',
      path,
      summary: found.summary,
      description: found.description,
      parameters: found.parameters.filter(({ name }) => name !== versionHeader),
      body: found.requestBody?.content['application/json'].example,
      replies: Object.entries(found.responses).map(([status, { description }]) => ({
        status: Number(status),
        codes: Number(status) < 400 ? [] : description.split(', '),
      })),
    })),
  );
}

/** The calls of the Open API. They change with the product only. */
export const operationsOptions = queryOptions({
  queryKey: [documentPath],
  queryFn: async ({ signal }): Promise<Operation[]> => {
    const response = await send(documentPath, { signal });
    if (!response.ok) throw await readError(response);
    return operationsOf(openDocument.parse(await response.json()));
  },
  staleTime: Number.POSITIVE_INFINITY,
  meta: { inPlace: shownInPlace },
});
