/** Text as it is compared: without case, diacritics, and the two widths of Chinese keyboards. */
export function fold(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').replaceAll(/[đĐ]/g, 'd').toLowerCase().trim();
}

/** How well texts meet a query, the less the better: the first begins so, a word begins so, it stands somewhere. */
const beginning = 0;
const word = 1;
const inside = 2;

/** How well texts meet a query; undefined where a word of the query stands in none of them. */
export function rankOf(query: string, texts: readonly string[]): number | undefined {
  const wanted = fold(query);
  const folded = texts.map(fold);
  if (folded[0]?.startsWith(wanted)) return beginning;
  const words = wanted.split(/\s+/);
  const areAllWithin = words.every((part) => folded.some((text) => text.includes(part)));
  if (!areAllWithin) return undefined;
  const doAllBegin = words.every((part) => folded.some((text) => ` ${text}`.includes(` ${part}`)));
  return doAllBegin ? word : inside;
}

/** What meets a query, the best first and else in its order; everything for an empty one. */
export function matching<E extends { words: readonly string[] }>(entries: readonly E[], query: string): E[] {
  return entries
    .map((entry) => ({ entry, rank: rankOf(query, entry.words) }))
    .filter(({ rank }) => rank !== undefined)
    .sort((one, other) => (one.rank ?? 0) - (other.rank ?? 0))
    .map(({ entry }) => entry);
}
