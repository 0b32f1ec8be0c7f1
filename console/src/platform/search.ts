import type * as z from 'zod';

/** Search parameters as they stand in the address: plain text, one value a name. */
export type PlainSearch = Record<string, string>;

/** For the router: `?status=paid,success&trade_no=123` as text, no JSON in the address. The last of a name counts. */
export function parsePlainSearch(text: string): PlainSearch {
  return Object.fromEntries(new URLSearchParams(text));
}

/** For the router: the address's `?…`, without empty values; commas, colons and slashes stay readable. */
export function stringifyPlainSearch(search: Record<string, unknown>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    if (value !== undefined && value !== null && value !== '') query.set(name, String(value));
  }
  const text = query.toString().replace(/%(2C|3A|2F)/g, decodeURIComponent);
  return text === '' ? '' : `?${text}`;
}

/**
 * `validateSearch` of a list's route from the contract's query schema. Keeps the text of every parameter that the
 * schema takes and drops the others: a mistyped address shows the list, not an error.
 */
export function searchOf<S extends z.ZodObject>(schema: S): (search: Record<string, unknown>) => z.input<S> {
  return (search) => {
    let kept = search;
    // A dropped value can only make other issues go away, so this ends.
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
