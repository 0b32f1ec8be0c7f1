/** Maximum days that one call lists one by one. */
export const maxListedDays = 92;

const dayMs = 86_400_000;

/** Counts the days of a range, both ends included. */
export function countDays({ from, to }: { from: string; to: string }): number {
  return (Date.parse(to) - Date.parse(from)) / dayMs + 1;
}
