import { parseSync, Visitor } from 'oxc-parser';
import { isTest, isTypeScript, listFiles, readSource } from '../sources.ts';
import { loadEndpoints } from './contract.ts';

/** Documents that are not checked: generated ones, recorded replies, and the glossary itself. */
const excluded = [/^docs\/(doors|licenses)\.md$/, /^docs\/sbom\//, /\/recorded\//, /^docs\/glossary\.md$/];

/** Returns the paragraphs of the documents by `path:line`, without code, link targets and quotations. */
export function documentTexts(): Map<string, string> {
  const paths = listFiles().filter(
    (path) => path.endsWith('.md') && !excluded.some((pattern) => pattern.test(path)),
  );
  return new Map(paths.flatMap((path) => paragraphs(path, readSource(path))));
}

/** Splits a document into paragraphs and table rows, by `path:line`. */
export function paragraphs(path: string, source: string): [string, string][] {
  const prose = source
    .replaceAll(/^```.*?^```/gms, blank)
    .replaceAll(/^ {4,}.*$/gm, blank)
    .replaceAll(/(`+)[^`]+?\1/g, blank)
    .replaceAll(/(?<=\])\([^)\n]*\)/g, blank)
    .replaceAll(/"[^"\n]*"/g, blank);
  const found: [string, string][] = [];
  let line = 1;
  for (const block of prose.split(/(\n\s*\n|\n(?=[|#-]|\d+\. ))/)) {
    if (/\S/.test(block)) found.push([`${path}:${line}`, block.replaceAll(/\s+/g, ' ').trim()]);
    line += block.split('\n').length - 1;
  }
  return found;
}

/** Replaces a text with spaces but keeps its line breaks, so that line numbers stay correct. */
function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, ' ');
}

/** Returns the texts of operator commands: strings and templates of more than one word, by location. */
export function operatorTexts(): Map<string, string> {
  const paths = listFiles().filter(
    (path) => /^server\/src\/(.+\/)?operator\//.test(path) && isTypeScript(path) && !isTest(path),
  );
  return new Map(paths.flatMap((path) => literals(path, readSource(path))));
}

/** Finds strings and templates of more than one word in a source file, by `path:line:column`. */
export function literals(path: string, source: string): [string, string][] {
  const found: [string, string][] = [];
  const add = (start: number, text: string) => {
    const before = source.slice(0, start).split('\n');
    const location = `${path}:${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
    if (/\p{L}\s+\p{L}/u.test(text)) found.push([location, text.replaceAll(/\s+/g, ' ')]);
  };
  new Visitor({
    Literal: ({ value, start }) => {
      if (typeof value === 'string') add(start, value);
    },
    TemplateLiteral: ({ quasis, start }) =>
      add(start, quasis.map(({ value }) => value.raw).join('{{value}}')),
  }).visit(parseSync(path, source).program);
  return found;
}

/** Returns the summaries in the OpenAPI documents, by method and path. */
export async function apiTexts(): Promise<Map<string, string>> {
  const endpoints = await loadEndpoints();
  return new Map(endpoints.map(({ method, path, summary }) => [`${method} ${path}`, summary]));
}
