import { parseSync, Visitor } from 'oxc-parser';

export interface Import {
  /** As written: `./rules.ts`, `#db/pool.ts`, `@hengfu/contract/money`, `kysely`. */
  readonly specifier: string;
  /** 1-based. */
  readonly line: number;
}

/**
 * Lists every import of a TypeScript file: imports, re-exports, `import()` and `import('…').Type`. Type-only
 * imports are included, because their cycles and layer violations make the code just as hard to follow. Throws if the file
 * can't be parsed.
 */
export function importsOf(fileName: string, source: string): Import[] {
  const { program, errors } = parseSync(fileName, source);
  if (errors[0] !== undefined) throw new Error(`${fileName}: ${errors[0].message}`);
  const found: Import[] = [];
  const add = (node: { type: string; value?: unknown; start: number } | null | undefined) => {
    if (node?.type !== 'Literal' || typeof node.value !== 'string') return;
    found.push({ specifier: node.value, line: source.slice(0, node.start).split('\n').length });
  };
  new Visitor({
    ImportDeclaration: (node) => add(node.source),
    ExportNamedDeclaration: (node) => add(node.source),
    ExportAllDeclaration: (node) => add(node.source),
    ImportExpression: (node) => add(node.source),
    TSImportType: (node) => add(node.source),
  }).visit(program);
  return found;
}
