import type * as z from 'zod';
import { isPhrase } from '#language.ts';
import { type FieldFault, fieldRefusal, Refusal } from '#refusal.ts';

/** Deeper than any body of ours; JSON nested further is somebody's attack. */
const maxDepth = 32;

/**
 * Reads an input by its schema. Throws Refusal `validation_failed` naming each failed field. Texts that PostgreSQL
 * can't store (NUL, lone surrogates) are refused before any schema sees them.
 */
export function validate<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  const unsafe = unsafePath(input, 0);
  if (unsafe !== undefined) throw fieldRefusal(unsafe, 'validation.unsafeText');
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  // Two rules that say the same of one field are one fault.
  const faults = Map.groupBy(
    parsed.error.issues.flatMap(faultsOf),
    ({ field, phrase }) => `${field} ${phrase}`,
  );
  throw new Refusal('validation_failed', {
    fields: [...faults.values()].flatMap((same) => same.slice(0, 1)),
  });
}

function faultsOf(issue: z.core.$ZodIssue): FieldFault[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((name) => ({ field: name, phrase: 'validation.unknownField', values: { name } }));
  }
  const field = issue.path.join('.') || 'body';
  if (isPhrase(issue.message)) return [{ field, phrase: issue.message }];
  const isMissing = issue.code === 'invalid_type' && issue.input === undefined;
  return [{ field, phrase: isMissing ? 'validation.required' : 'validation.invalid' }];
}

/** Path of the first text that can't be stored or of nesting that goes too deep. */
function unsafePath(value: unknown, depth: number, path = ''): string | undefined {
  if (typeof value === 'string')
    return value.includes('\0') || !value.isWellFormed() ? path || 'body' : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth >= maxDepth) return path || 'body';
  for (const [name, inner] of Object.entries(value)) {
    const isSafeName = !name.includes('\0') && name.isWellFormed();
    const found = isSafeName ? unsafePath(inner, depth + 1, path ? `${path}.${name}` : name) : path || 'body';
    if (found !== undefined) return found;
  }
  return undefined;
}
