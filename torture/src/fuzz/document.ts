import * as z from 'zod';

/** The parts of a JSON schema from which values are generated. */
export interface JsonSchema {
  type?: string;
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly JsonSchema[];
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  items?: JsonSchema;
  properties?: Readonly<Record<string, JsonSchema>>;
  required?: readonly string[];
  propertyNames?: JsonSchema;
  additionalProperties?: JsonSchema | boolean;
}

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  schema: JsonSchema;
}

export const doors = ['merchants', 'staff'] as const;
export type Door = (typeof doors)[number];

/** One operation of the product's OpenAPI documents. */
export interface Operation {
  /** `POST /api/login` */
  name: string;
  method: string;
  /** With `{name}` for each path parameter. */
  path: string;
  access: 'public' | 'session' | 'signed' | 'staff';
  /** The port that has it: that of merchants and payers, or that of the back office. */
  door: Door;
  /** The permission that a member of our staff needs. */
  staffPerm: string | undefined;
  parameters: readonly Parameter[];
  body: JsonSchema | undefined;
  /** Reply schemas by status; undefined for those without a JSON body. */
  replies: ReadonlyMap<number, z.ZodType | undefined>;
}

const content = z.object({ 'application/json': z.object({ schema: z.custom<JsonSchema>() }).optional() });
const documentShape = z.object({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        security: z.array(z.record(z.string(), z.array(z.string()))),
        parameters: z.array(z.custom<Parameter>()).default([]),
        requestBody: z.object({ content }).optional(),
        responses: z.record(z.string(), z.object({ content: content.optional() })),
      }),
    ),
  ),
  components: z.object({ schemas: z.record(z.string(), z.custom<JsonSchema>()) }),
});

/** Reads all operations from a running product's documents: console, checkout and Open API, and those of the back office. */
export async function readOperations({
  url,
  staffUrl,
}: {
  url: string;
  staffUrl: string;
}): Promise<Operation[]> {
  const documents = await Promise.all([
    readDocument('merchants', `${url}/api/docs/console.json`),
    readDocument('merchants', `${url}/api/docs/open.json`),
    readDocument('staff', `${staffUrl}/api/staff/docs/staff.json`),
  ]);
  return documents.flat();
}

async function readDocument(door: Door, url: string): Promise<Operation[]> {
  const { paths, components } = documentShape.parse(await (await fetch(url)).json());
  const errorReply = replySchema(components.schemas.Error ?? {});
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([verb, { security, parameters, requestBody, responses }]) => {
      const method = verb.toUpperCase();
      const replies = Object.entries(responses).map(([status, { content: replyContent }]) => {
        const schema = replyContent?.['application/json']?.schema;
        const isError = Number(status) >= firstErrorStatus;
        return [Number(status), isError ? errorReply : schema && replySchema(schema)] as const;
      });
      return {
        name: `${method} ${path}`,
        method,
        path,
        parameters,
        access: accessOf(security),
        door,
        staffPerm: security.flatMap(({ staffSession = [] }) => staffSession)[0],
        body: requestBody?.content['application/json']?.schema,
        replies: new Map(replies),
      };
    }),
  );
}

export const firstErrorStatus = 400;

function replySchema(schema: JsonSchema): z.ZodType {
  return z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
}

function accessOf(security: readonly Readonly<Record<string, unknown>>[]): Operation['access'] {
  const names = security.flatMap((each) => Object.keys(each));
  if (names.includes('signature')) return 'signed';
  if (names.includes('staffSession')) return 'staff';
  return names.includes('session') ? 'session' : 'public';
}
