import { findCycles } from './cycles.ts';
import { type Import, importsOf } from './imports.ts';
import { forbiddenNames, type Layer, layers, pureFiles, reservedPackages } from './layers.ts';
import { resolveImport, type Target, type Workspace } from './resolve.ts';

/** Lists violations of the rules in layers.ts by a set of files (path → source), one line each. */
export function checkImports(files: ReadonlyMap<string, string>, workspaces: readonly Workspace[]): string[] {
  const problems: string[] = [];
  const graph = new Map<string, string[]>();
  for (const [file, source] of files) {
    if (forbiddenNames.test(file))
      problems.push(`${file}: index is not a permitted name; name the file after its content`);
    if (!layerOf(file)) problems.push(`${file}: belongs to no layer of tools/import-rules/layers.ts`);
    const targets: string[] = [];
    for (const found of importsOf(file, source)) {
      const target = resolveImport(file, found.specifier, workspaces);
      const problem = problemOf(file, target);
      if (problem) problems.push(messageOf(file, found, problem));
      if ('file' in target) targets.push(target.file);
    }
    graph.set(file, targets);
  }
  return [...problems, ...findCycles(graph).map((cycle) => `cycle: ${cycle.join(' → ')}`)];
}

function messageOf(file: string, { line, specifier }: Import, problem: string): string {
  return `${file}:${line}: “${specifier}”: ${problem}`;
}

function problemOf(file: string, target: Target): string | undefined {
  return 'file' in target ? layerViolation(file, target.file) : packageViolation(file, target.package);
}

function layerViolation(from: string, to: string): string | undefined {
  const source = layerOf(from);
  const target = layerOf(to);
  if (!source || !target) return undefined;
  if (target.name !== source.name && !source.mayImport.includes(target.name)) {
    return `${source.name} may not import ${target.name}`;
  }
  const own = featureOf(source, from);
  const other = featureOf(target, to);
  return own && other && own !== other ? `feature ${own} may not import feature ${other}` : undefined;
}

function packageViolation(file: string, packageName: string): string | undefined {
  if (pureFiles.files.test(file) && !pureFiles.allowedPackages.test(packageName)) {
    return 'rules are pure: they may import only the contract';
  }
  const broken = reservedPackages.find(
    ({ packages, onlyIn }) => packages.test(packageName) && !onlyIn.test(file),
  );
  return broken && `only files like ${broken.onlyIn.source} may import ${packageName}`;
}

function layerOf(file: string): Layer | undefined {
  return layers.find((layer) => layer.files.test(file));
}

function featureOf(layer: Layer, file: string): string | undefined {
  return layer.files.exec(file)?.groups?.feature;
}
