import { parseSync, Visitor } from 'oxc-parser';
import { isTest, isTypeScript, listFiles, readSource } from '../sources.ts';
import { loadEndpoints } from './contract.ts';

/** Documents that a tool writes, recorded replies of others, and the page that names the words to avoid. */
const notRead = [/^docs\/(doors|licenses)\.md$/, /^docs\/sbom\//, /\/recorded\//, /^docs\/glossary\.md$/];

/** The prose of the documents, by path and line of each paragraph. Code, links' targets and quotations are blanked. */
export function documentTexts(): Map<string, string> {
  const paths = listFiles().filter(
    (path) => path.endsWith('.md') && !notRead.some((pattern) => pattern.test(path)),
  );
  return new Map(paths.flatMap((path) => paragraphs(path, readSource(path))));
}

/** The paragraphs and table rows of a document, by path and line. */
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

/** Keeps the lines, so that what follows keeps its number. */
function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, ' ');
}

/** What operator commands print and explain: strings and templates of more than one word, by path and line. */
export function operatorTexts(): Map<string, string> {
  const paths = listFiles().filter(
    (path) => /^server\/src\/(.+\/)?operator\//.test(path) && isTypeScript(path) && !isTest(path),
  );
  return new Map(paths.flatMap((path) => literals(path, readSource(path))));
}

/** The sentences in a source file's strings and templates, by path and line. */
export function literals(path: string, source: string): [string, string][] {
  const found: [string, string][] = [];
  const add = (start: number, text: string) => {
    const before = source.slice(0, start).split('\n');
    const place = `${path}:${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
    if (/\p{L}\s+\p{L}/u.test(text)) found.push([place, text.replaceAll(/\s+/g, ' ')]);
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

/** The summaries of the OpenAPI documents, by method and path of the call. */
export async function apiTexts(): Promise<Map<string, string>> {
  const endpoints = await loadEndpoints();
  return new Map(endpoints.map(({ method, path, summary }) => [`${method} ${path}`, summary]));
}
