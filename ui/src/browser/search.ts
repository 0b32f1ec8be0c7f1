import type * as z from 'zod';

/** The address's search parameters: plain text, one value per name. */
export type PlainSearch = Record<string, string>;

/** `parseSearch` of the router: plain text instead of JSON. If a name is repeated, the last value counts. */
export function parsePlainSearch(text: string): PlainSearch {
  return Object.fromEntries(new URLSearchParams(text));
}

/** `stringifySearch` of the router: omits empty values, and keeps commas, colons and slashes readable. */
export function stringifyPlainSearch(search: Record<string, unknown>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    if (value !== undefined && value !== null && value !== '') query.set(name, String(value));
  }
  const text = query.toString().replace(/%(2C|3A|2F)/g, decodeURIComponent);
  return text === '' ? '' : `?${text}`;
}

/**
 * Builds a validator of search parameters from a contract schema. Keeps the text of every parameter that the
 * schema accepts and drops the others, so that a mistyped address shows the list instead of an error.
 */
export function searchOf<S extends z.ZodObject>(schema: S): (search: Record<string, unknown>) => z.input<S> {
  return (search) => {
    // The schema need not be compiled, which takes milliseconds.
    if (Object.keys(search).length === 0) return {} as z.input<S>;
    let kept = search;
    // Terminates, because dropping a value can only remove issues.
    for (let parsed = schema.safeParse(kept); !parsed.success; parsed = schema.safeParse(kept)) {
      const bad = new Set(parsed.error.issues.flatMap(namesOf));
      const next = Object.fromEntries(Object.entries(kept).filter(([name]) => !bad.has(name)));
      if (Object.keys(next).length === Object.keys(kept).length) return {} as z.input<S>;
      kept = next;
    }
    return kept as z.input<S>;
  };
}

function namesOf(issue: z.core.$ZodIssue): string[] {
  return issue.code === 'unrecognized_keys' ? issue.keys : [String(issue.path[0])];
}
