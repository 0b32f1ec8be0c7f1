import { parseSync, Visitor } from 'oxc-parser';
import { isTest, isTypeScript, listFiles, readSource } from '../sources.ts';
import type { Check } from './check.ts';

/** Lines, except where it says files. The median is an aim and only reported; the others are limits. */
export const limits = { median: 60, p90: 180, file: 300, function: 80, filesPerFeature: 13 } as const;

/** Small files, small functions, small features: what fits on a screen is read, what does not is skimmed. */
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

/** What is too big in a set of files (path → source), and the figures. */
export function checkSizes(sources: ReadonlyMap<string, string>): { problems: string[]; note: string } {
  const lengths = [...sources.values()].map(lineCount).sort((a, b) => a - b);
  const [median, p90] = [quantile(lengths, 0.5), quantile(lengths, 0.9)];
  const problems = [...sources].flatMap(([path, source]) => [
    ...(lineCount(source) > limits.file
      ? [`${path}: ${lineCount(source)} lines (at most ${limits.file})`]
      : []),
    ...longFunctions(path, source),
  ]);
  if (p90 > limits.p90)
    problems.push(`a tenth of the files has more than ${p90} lines (at most ${limits.p90})`);
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

/** Files of a folder are counted, so that a large feature may give a part of its subject a folder of its own. */
function crowdedFeatures(paths: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const [, feature] = /^((?:server|console)\/src\/features\/.+)\/[^/]+$/.exec(path) ?? [];
    if (feature) counts.set(feature, (counts.get(feature) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count > limits.filesPerFeature)
    .map(([feature, count]) => `${feature}: ${count} source files (at most ${limits.filesPerFeature})`);
}
