/** A piece of HTML whose inserted values are already escaped. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Insertable = Html | string | undefined | readonly Html[];

const entityByCharacter: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Tags HTML templates: escapes every inserted text, for element content and quoted attributes; `undefined`
 * inserts nothing.
 */
export function html(parts: TemplateStringsArray, ...values: Insertable[]): Html {
  return new Html(parts.reduce((text, part, index) => text + inserted(values[index - 1]) + part));
}

function inserted(value: Insertable): string {
  if (value === undefined) return '';
  if (value instanceof Html) return value.text;
  if (typeof value !== 'string') return value.map(({ text }) => text).join('');
  return value.replace(/[&<>"']/g, (character) => entityByCharacter[character] ?? character);
}
