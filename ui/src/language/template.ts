import type { Language } from '@hengfu/contract/languages';
import { formatter } from '@hengfu/phrases/formatter';

/** Fills in a phrase; undefined if i18next must do it, because a value is missing or chooses the form. */
export type Template = (
  values: Readonly<Record<string, string | number>>,
  language: Language,
) => string | undefined;

const placeholder = /\{\{(\w+)\}\}/;

/**
 * Prepares a phrase with simple placeholders (`{{name}}`). A table fills in the same phrase in every row, and i18next reads it anew
 * each time, which takes ten times as long. Returns undefined for phrases with formats, nested phrases or plural forms.
 */
export function templateOf(phrase: string | undefined): Template | undefined {
  if (phrase === undefined) return undefined;
  // Text and names of placeholders in turns.
  const parts = phrase.split(placeholder);
  if (parts.some((part, index) => index % 2 === 0 && /\{\{|\$t\(/.test(part))) return undefined;
  return (values, language) => {
    // These two choose among forms of a phrase.
    if ('count' in values || 'context' in values) return undefined;
    let text = '';
    for (const [index, part] of parts.entries()) {
      const value = index % 2 === 0 ? part : values[part];
      if (value === undefined) return undefined;
      text += formatter.format(value, undefined, language);
    }
    return text;
  };
}
