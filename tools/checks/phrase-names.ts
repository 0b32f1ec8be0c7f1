import { type Expression, type MemberExpression, parseSync, type TemplateLiteral, Visitor } from 'oxc-parser';

/** Something in a source file that may name phrases: a whole key, or what keys start and end with. */
export type PhraseName = { readonly key: string } | { readonly start: string; readonly end: string };

/**
 * What a source file says that could be the name of a phrase: its strings, its templates, and, where it has a language's
 * phrases in hand (the cashier does, without the translation library), members of objects: `cashier.title`.
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

/** `phrases.cashier.title` is the key `cashier.title`, whatever the object is called that holds it. */
function memberNames(member: MemberExpression): PhraseName[] {
  const steps = stepsOf(member.object);
  const suffixes = steps.map((_, index) => steps.slice(index).join('.'));
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

/** The names of a chain like `a.b.c`; none when it is something else. */
function stepsOf(node: Expression): string[] {
  if (node.type === 'Identifier') return [node.name];
  if (node.type !== 'MemberExpression' || node.computed || node.property.type !== 'Identifier') return [];
  const before = stepsOf(node.object);
  return before.length > 0 ? [...before, node.property.name] : [];
}
