import * as z from 'zod';
import { isPhrase } from '#domain/language.ts';
import { type FieldFault, Refusal } from '#domain/refusal.ts';
import { inspectShape } from './request-shape.ts';
import { parseInSlices } from './schema-in-slices.ts';

/** Longer names of unknown fields are not repeated in a reply. */
const longestName = 64;

/**
 * Reads an input by its schema. Throws Refusal `validation_failed` naming each failed field, or what no schema should have
 * to look at (request-shape.ts).
 */
export function validate<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  inspectShape(input);
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw refusalOf(parsed.error.issues);
}

/** Reads a body, whose shape was inspected when it was parsed, by its schema; long arrays in slices. */
export async function validateBody(schema: z.ZodType, input: unknown): Promise<unknown> {
  const { data, issues } = await parseInSlices(schema, input);
  if (issues) throw refusalOf(issues);
  return data;
}

/** Reads what a handler replies by its schema; throws where it does not fit, which is a fault of ours. */
export async function parseReply(schema: z.ZodType, reply: unknown): Promise<unknown> {
  const { data, issues } = await parseInSlices(schema, reply);
  if (issues) throw new z.ZodError(issues);
  return data;
}

function refusalOf(issues: readonly z.core.$ZodIssue[]): Refusal {
  // Two rules that say the same of one field are one fault.
  const faults = new Map(issues.flatMap(faultsOf).map((fault) => [`${fault.field} ${fault.phrase}`, fault]));
  return new Refusal('validation_failed', { fields: [...faults.values()] });
}

function faultsOf(issue: z.core.$ZodIssue): FieldFault[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const name = key.slice(0, longestName);
      return { field: name, phrase: 'validation.unknownField', values: { name } };
    });
  }
  const field = issue.path.map((part) => String(part).slice(0, longestName)).join('.') || 'body';
  if (isPhrase(issue.message)) return [{ field, phrase: issue.message }];
  const isMissing = issue.code === 'invalid_type' && issue.input === undefined;
  return [{ field, phrase: isMissing ? 'validation.required' : 'validation.invalid' }];
}
