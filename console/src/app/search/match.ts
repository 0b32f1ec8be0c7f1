/** Folds text for comparison: case, diacritics, and full-width forms (Chinese input methods) are ignored. */
export function fold(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').replaceAll(/[đĐ]/g, 'd').toLowerCase().trim();
}

/** Match ranks, best first: prefix of the first text, prefix of a word, substring. */
const prefixRank = 0;
const wordRank = 1;
const substringRank = 2;

/** Ranks how well texts match a query. Undefined if some word of the query is in none of the texts. */
export function rankOf(query: string, texts: readonly string[]): number | undefined {
  const needle = fold(query);
  const folded = texts.map(fold);
  if (folded[0]?.startsWith(needle)) return prefixRank;
  const words = needle.split(/\s+/);
  const isMatch = words.every((word) => folded.some((text) => text.includes(word)));
  if (!isMatch) return undefined;
  const isWordMatch = words.every((word) => folded.some((text) => ` ${text}`.includes(` ${word}`)));
  return isWordMatch ? wordRank : substringRank;
}

/** The entries that match a query, best rank first (a stable sort). An empty query matches all. */
export function matching<E extends { keywords: readonly string[] }>(
  entries: readonly E[],
  query: string,
): E[] {
  return entries
    .map((entry) => ({ entry, rank: rankOf(query, entry.keywords) }))
    .filter(({ rank }) => rank !== undefined)
    .sort((one, other) => (one.rank ?? 0) - (other.rank ?? 0))
    .map(({ entry }) => entry);
}
