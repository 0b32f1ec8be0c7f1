/** Returns the names of a table, such as that of the statuses, in its order. */
export function namesOf<N extends string>(table: Readonly<Record<N, unknown>>): N[] {
  return Object.keys(table) as N[];
}
