/** An option of a combobox. */
export interface ComboboxOption {
  value: string;
  label: string;
  /** Further texts by which it is found: a code, another name, initials. */
  keywords?: readonly string[];
}

/** Options under a heading; the heading is '' if there is only one group. */
export interface OptionGroup {
  heading: string;
  items: readonly ComboboxOption[];
}

/** Ignores case, width, accents, and the marks between words: "ho chi minh" finds "Asia/Ho_Chi_Minh". */
function folded(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('đ', 'd')
    .replaceAll(/[\s_/.-]+/g, ' ')
    .trim();
}

/**
 * The options that a text finds: those whose name or keyword begins with it first, then those that contain it. All words of
 * the text have to be found.
 */
export function findOptions(options: readonly ComboboxOption[], text: string): readonly ComboboxOption[] {
  const wanted = folded(text);
  if (wanted === '') return options;
  const words = wanted.split(' ');
  const ranked = options.flatMap((option) => {
    const texts = [option.label, ...(option.keywords ?? [])].map(folded);
    if (texts.some((candidate) => candidate.startsWith(wanted))) return [{ option, rank: 0 }];
    const all = texts.join(' ');
    return words.every((word) => all.includes(word)) ? [{ option, rank: 1 }] : [];
  });
  return ranked.toSorted((a, b) => a.rank - b.rank).map(({ option }) => option);
}

/** The groups to offer: recent choices and all, or what a text finds. */
export function groupOptions(
  options: readonly ComboboxOption[],
  recent: readonly string[],
  text: string,
  headings: { recent: string; all: string },
): OptionGroup[] {
  const found = findOptions(options, text);
  const known = recent.flatMap((value) => options.find((option) => option.value === value) ?? []);
  if (text.trim() !== '' || known.length === 0)
    return found.length === 0 ? [] : [{ heading: '', items: found }];
  const others = found.filter((option) => !known.includes(option));
  return [
    { heading: headings.recent, items: known },
    { heading: headings.all, items: others },
  ];
}
