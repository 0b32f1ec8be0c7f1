import { parseSync, Visitor } from 'oxc-parser';
import { isTest, isTypeScript, listFiles, readSource } from '../sources.ts';
import type { Check } from './check.ts';

/** In lines, except `filesPerFeature`. The median is only reported; the others are limits. */
export const limits = { median: 60, p90: 180, file: 300, function: 80, filesPerFeature: 13 } as const;

/** Limits the size of files, functions and features: code that does not fit on a screen is only skimmed. */
export const size: Check = {
  name: 'size',
  run: async () => {
    const files = listFiles().filter(
      (path) => isTypeScript(path) && !isTest(path) && !path.startsWith('phrases/'),
    );
    const sources = new Map(files.map((file) => [file, readSource(file)]));
    return checkSizes(sources);
  },
};

/** Lists what is too big in a set of files (path → source), with a note of the statistics. */
export function checkSizes(sources: ReadonlyMap<string, string>): { problems: string[]; note: string } {
  const lengths = [...sources.values()].map(lineCount).sort((a, b) => a - b);
  const [median, p90] = [quantile(lengths, 0.5), quantile(lengths, 0.9)];
  const problems = [...sources].flatMap(([path, source]) => [
    ...(lineCount(source) > limits.file
      ? [`${path}: ${lineCount(source)} lines (at most ${limits.file})`]
      : []),
    ...longFunctions(path, source),
  ]);
  if (p90 > limits.p90) problems.push(`p90 of the files is ${p90} lines (at most ${limits.p90})`);
  return {
    problems: [...problems, ...crowdedFeatures([...sources.keys()])],
    note: `${lengths.length} files, median ${median} lines (aim ${limits.median}), p90 ${p90} (at most ${limits.p90})`,
  };
}

function lineCount(text: string): number {
  return text.trimEnd().split('\n').length;
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.ceil(sorted.length * share) - 1] ?? 0;
}

function longFunctions(path: string, source: string): string[] {
  const problems: string[] = [];
  const measure = (node: { start: number; end: number }) => {
    const lines = lineCount(source.slice(node.start, node.end));
    if (lines <= limits.function) return;
    const line = lineCount(`${source.slice(0, node.start)}x`);
    problems.push(`${path}:${line}: a function of ${lines} lines (at most ${limits.function})`);
  };
  new Visitor({
    FunctionDeclaration: measure,
    FunctionExpression: measure,
    ArrowFunctionExpression: measure,
  }).visit(parseSync(path, source).program);
  return problems;
}

/** Counts files per folder, so that a large feature can move part of its subject to a subfolder. */
function crowdedFeatures(paths: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const [, feature] = /^((?:server|console|backoffice)\/src\/features\/.+)\/[^/]+$/.exec(path) ?? [];
    if (feature) counts.set(feature, (counts.get(feature) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count > limits.filesPerFeature)
    .map(([feature, count]) => `${feature}: ${count} source files (at most ${limits.filesPerFeature})`);
}
