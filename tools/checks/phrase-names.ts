import { type Expression, type MemberExpression, parseSync, type TemplateLiteral, Visitor } from 'oxc-parser';

/** A possible reference to phrases in a source file: a whole key, or the start and end of keys. */
export type PhraseName = { readonly key: string } | { readonly start: string; readonly end: string };

/**
 * Finds possible references to phrases in a source file: its strings, its templates, and, if it uses a
 * language's phrases directly (the cashier does, without the translation library), member expressions such as
 * `cashier.title`.
 */
export function phraseNames(path: string, source: string): PhraseName[] {
  const found: PhraseName[] = [];
  const hasPhrases = /phrases|useCashierI18n/i.test(source);
  new Visitor({
    Literal: ({ value }) => {
      if (typeof value === 'string') found.push({ key: value });
    },
    TemplateLiteral: (template) => {
      found.push(templateName('', template));
    },
    MemberExpression: (member) => {
      if (hasPhrases) found.push(...memberNames(member));
    },
  }).visit(parseSync(path, source).program);
  return found;
}

function templateName(prefix: string, { quasis }: TemplateLiteral): PhraseName {
  const start = prefix + (quasis[0]?.value.raw ?? '');
  return quasis.length > 1 ? { start, end: quasis.at(-1)?.value.raw ?? '' } : { key: start };
}

/** Reads `phrases.cashier.title` as the key `cashier.title`, whatever the name of the object. */
function memberNames(member: MemberExpression): PhraseName[] {
  const names = chainOf(member.object);
  const suffixes = names.map((_, index) => names.slice(index).join('.'));
  const { property } = member;
  if (property.type === 'Identifier' && !member.computed) {
    return suffixes.map((start) => ({ key: `${start}.${property.name}` }));
  }
  return suffixes.map((start) =>
    property.type === 'TemplateLiteral'
      ? templateName(`${start}.`, property)
      : { start: `${start}.`, end: '' },
  );
}

/** Returns the names in a chain such as `a.b.c`; empty for any other expression. */
function chainOf(node: Expression): string[] {
  if (node.type === 'Identifier') return [node.name];
  if (node.type !== 'MemberExpression' || node.computed || node.property.type !== 'Identifier') return [];
  const before = chainOf(node.object);
  return before.length > 0 ? [...before, node.property.name] : [];
}
