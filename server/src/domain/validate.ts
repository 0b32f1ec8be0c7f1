import * as z from 'zod';
import { isPhrase } from '#domain/language.ts';
import { type FieldFault, Refusal } from '#domain/refusal.ts';
import { inspectShape } from './request-shape.ts';
import { parseInSlices } from './schema-in-slices.ts';

/** Field names are cut to this length in replies. */
const maxNameLength = 64;

/**
 * Parses input with its schema. Throws Refusal `validation_failed` naming each failed field, or the first
 * fault that {@link inspectShape} finds.
 */
export function validate<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  inspectShape(input);
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw refusalOf(parsed.error.issues);
}

/** Parses a body with its schema, long arrays in slices; its shape has already been inspected. */
export async function validateBody(schema: z.ZodType, input: unknown): Promise<unknown> {
  const { data, issues } = await parseInSlices(schema, input);
  if (issues) throw refusalOf(issues);
  return data;
}

/** Parses a handler's reply with its schema. Throws a ZodError if it does not fit, which is a bug of ours. */
export async function parseReply(schema: z.ZodType, reply: unknown): Promise<unknown> {
  const { data, issues } = await parseInSlices(schema, reply);
  if (issues) throw new z.ZodError(issues);
  return data;
}

function refusalOf(issues: readonly z.core.$ZodIssue[]): Refusal {
  // Two rules that fail a field with the same message count as one fault.
  const faults = new Map(issues.flatMap(faultsOf).map((fault) => [`${fault.field} ${fault.phrase}`, fault]));
  return new Refusal('validation_failed', { fields: [...faults.values()] });
}

function faultsOf(issue: z.core.$ZodIssue): FieldFault[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const name = key.slice(0, maxNameLength);
      return { field: name, phrase: 'validation.unknownField', values: { name } };
    });
  }
  const field = issue.path.map((part) => String(part).slice(0, maxNameLength)).join('.') || 'body';
  if (isPhrase(issue.message)) return [{ field, phrase: issue.message }];
  const isMissing = issue.code === 'invalid_type' && issue.input === undefined;
  return [{ field, phrase: isMissing ? 'validation.required' : 'validation.invalid' }];
}
