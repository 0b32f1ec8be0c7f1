import * as z from 'zod';
import { Slices } from '#threads/slices.ts';

/** If any array is longer, all arrays are parsed in slices. */
const longArrayLength = 100;
/** Parsing stops after this many issues. */
const maxIssues = 1000;

/** The result of parsing: the value, or the issues found. */
export type ParseResult =
  | { data: unknown; issues?: undefined }
  | { data?: undefined; issues: z.core.$ZodIssue[] };

/** A field of a schema, or of an object within it, that is an array. */
interface ArrayField {
  path: readonly string[];
  element: z.core.$ZodType;
}

const arrayFields = new WeakMap<z.ZodType, readonly ArrayField[]>();

/** Parses input with a schema like `safeParse`, without blocking the thread while it reads long arrays. */
export async function parseInSlices(schema: z.ZodType, input: unknown): Promise<ParseResult> {
  const fields = arrayFields.get(schema) ?? arraysIn(schema, []);
  arrayFields.set(schema, fields);
  const arrays = fields.map((field) => ({ ...field, items: itemsAt(field, input) }));
  const isLong = arrays.some(({ items }) => items.length > longArrayLength);
  const outer = (isLong ? withAnyItems(schema) : schema).safeParse(input);
  const issues = [...(outer.error?.issues ?? [])];
  if (!isLong) return outer.success ? { data: outer.data } : { issues };
  const slices = new Slices();
  for (const { path, element, items } of arrays) {
    const parsed: unknown[] = [];
    for (const [index, item] of items.entries()) {
      if (slices.isOver) await slices.next();
      const { data, error } = z.safeParse(element, item);
      for (const issue of error?.issues ?? [])
        issues.push({ ...issue, path: [...path, index, ...issue.path] });
      if (issues.length > maxIssues) return { issues };
      parsed.push(data);
    }
    if (outer.success) setAt(outer.data, path, parsed);
  }
  return outer.success && issues.length === 0 ? { data: outer.data } : { issues };
}

function arraysIn(schema: z.ZodType, path: readonly string[]): ArrayField[] {
  if (schema instanceof z.ZodArray && path.length > 0) return [{ path, element: schema.element }];
  if (!isPlain(schema)) return [];
  return Object.entries(schema.shape).flatMap(([name, field]) =>
    arraysIn(field as z.ZodType, [...path, name]),
  );
}

/** Returns the items of an array field of the input; none if it has none there. */
function itemsAt({ path }: ArrayField, input: unknown): readonly unknown[] {
  let value = input;
  for (const name of path) {
    if (typeof value !== 'object' || value === null) return [];
    value = (value as Record<string, unknown>)[name];
  }
  return Array.isArray(value) ? value : [];
}

const looseSchemas = new WeakMap<z.ZodType, z.ZodType>();

/** Returns the schema with its arrays accepting any items; rules for the arrays themselves still apply. */
function withAnyItems(schema: z.ZodType): z.ZodType {
  const cached = looseSchemas.get(schema);
  if (cached) return cached;
  const loose = loosen(schema);
  looseSchemas.set(schema, loose);
  return loose;
}

function loosen(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodArray) return schema.clone({ ...schema.def, element: z.unknown() });
  if (!isPlain(schema)) return schema;
  const fields = Object.entries(schema.shape).map(([name, field]) => [name, loosen(field as z.ZodType)]);
  return schema.extend(Object.fromEntries(fields));
}

/** Whether a schema is an object without refinements, which would have to see the whole object. */
function isPlain(schema: z.ZodType): schema is z.ZodObject {
  return schema instanceof z.ZodObject && (schema.def.checks ?? []).length === 0;
}

function setAt(data: unknown, path: readonly string[], value: unknown): void {
  const [name = '', ...deeper] = path;
  const fields = data as Record<string, unknown>;
  if (deeper.length === 0) fields[name] = value;
  else setAt(fields[name], deeper, value);
}
