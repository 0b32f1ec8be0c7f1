import * as z from 'zod';
import { Slices } from '#threads/slices.ts';

/** Where an array has more items, all of them are read in slices. */
const longArray = 100;
/** After so many faults nobody needs to know of more. */
const mostIssues = 1000;

/** What came of reading an input: its value, or what is wrong with it. */
export type ParseResult =
  | { data: unknown; issues?: undefined }
  | { data?: undefined; issues: z.core.$ZodIssue[] };

interface FoundArray {
  path: string[];
  element: z.core.$ZodType;
  items: readonly unknown[];
}

/** Reads an input by its schema like `safeParse`, without holding the thread over long arrays in it. */
export async function parseInSlices(schema: z.ZodType, input: unknown): Promise<ParseResult> {
  const arrays = arraysIn(schema, input, []);
  const isLong = arrays.some(({ items }) => items.length > longArray);
  const outer = (isLong ? withoutItems(schema) : schema).safeParse(input);
  const issues = [...(outer.error?.issues ?? [])];
  if (!isLong) return outer.success ? { data: outer.data } : { issues };
  const slices = new Slices();
  for (const { path, element, items } of arrays) {
    const read: unknown[] = [];
    for (const [index, item] of items.entries()) {
      if (slices.isOver) await slices.next();
      const { data, error } = z.safeParse(element, item);
      for (const issue of error?.issues ?? [])
        issues.push({ ...issue, path: [...path, index, ...issue.path] });
      if (issues.length > mostIssues) return { issues };
      read.push(data);
    }
    if (outer.success) put(outer.data, path, read);
  }
  return outer.success && issues.length === 0 ? { data: outer.data } : { issues };
}

/** The arrays that stand in an input as a field of it, or of an object in it, and what their items must be. */
function arraysIn(schema: z.ZodType, input: unknown, path: string[]): FoundArray[] {
  if (schema instanceof z.ZodArray && path.length > 0)
    return Array.isArray(input) ? [{ path, element: schema.element, items: input }] : [];
  if (!isPlain(schema) || typeof input !== 'object' || input === null) return [];
  return Object.entries(schema.shape).flatMap(([name, field]) =>
    arraysIn(field as z.ZodType, (input as Record<string, unknown>)[name], [...path, name]),
  );
}

const known = new WeakMap<z.ZodType, z.ZodType>();

/** The same schema, in which arrays keep their own rules and take any items. */
function withoutItems(schema: z.ZodType): z.ZodType {
  const before = known.get(schema);
  if (before) return before;
  const after = loosened(schema);
  known.set(schema, after);
  return after;
}

function loosened(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodArray) return schema.clone({ ...schema.def, element: z.unknown() });
  if (!isPlain(schema)) return schema;
  const fields = Object.entries(schema.shape).map(([name, field]) => [name, loosened(field as z.ZodType)]);
  return schema.extend(Object.fromEntries(fields));
}

/** An object without rules of its own about several fields, which would have to see all of it. */
function isPlain(schema: z.ZodType): schema is z.ZodObject {
  return schema instanceof z.ZodObject && (schema.def.checks ?? []).length === 0;
}

function put(data: unknown, path: readonly string[], value: unknown): void {
  const [name = '', ...deeper] = path;
  const fields = data as Record<string, unknown>;
  if (deeper.length === 0) fields[name] = value;
  else put(fields[name], deeper, value);
}
