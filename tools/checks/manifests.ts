import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { runTool } from '../run-tool.ts';
import { listFiles, readSource, root } from '../sources.ts';
import type { Check } from './check.ts';

const folder = 'deploy/kubernetes/';
/** Packages with the schemas of resources, by their API group; Kubernetes' own for every other group. */
const packages: Readonly<Record<string, string>> = {
  'postgresql.cnpg.io': '@kubernetes-models/cloudnative-pg',
};

/** Checks the Kubernetes manifests against the schemas of their resources. */
export const manifests: Check = {
  name: 'manifests',
  run: async () => {
    const files = listFiles().filter((path) => path.startsWith(folder) && path.endsWith('.yaml'));
    return { problems: await checkManifests(new Map(files.map((file) => [file, readSource(file)]))) };
  },
};

interface Resource {
  apiVersion: string;
  kind: string;
}

/** A resource and where it stands: the file, and its number in it. */
interface Located {
  place: string;
  resource: Resource;
}

/**
 * Lists what is wrong with manifests (path → YAML). The schema's own functions find wrong values and missing fields, the compiler
 * finds fields that do not exist, which Kubernetes would drop.
 */
export async function checkManifests(files: ReadonlyMap<string, string>): Promise<string[]> {
  const problems: string[] = [];
  const resources: Located[] = [];
  for (const [file, text] of files) {
    const documents = parseAllDocuments(text, { merge: true });
    for (const [index, document] of documents.entries()) {
      const place = `${file} (document ${index + 1})`;
      const resource = document.toJS() as Resource;
      if (document.errors.length > 0) problems.push(`${place}: ${document.errors[0]?.message}`);
      else if (!resource?.apiVersion || !resource.kind) problems.push(`${place}: no apiVersion or kind`);
      else resources.push({ place, resource });
    }
  }
  if (resources.length === 0) return [...problems, 'there are no manifests'];
  for (const located of resources) problems.push(...(await valueProblems(located)));
  return [...problems, ...(await fieldProblems(resources))];
}

/** The module with the schema of a resource. */
function moduleOf({ apiVersion, kind }: Resource): string {
  const [group = ''] = apiVersion.split('/');
  return `${packages[group] ?? 'kubernetes-models'}/${apiVersion}/${kind}`;
}

async function valueProblems({ place, resource }: Located): Promise<string[]> {
  try {
    const schema = await import(moduleOf(resource));
    new schema[resource.kind](resource).validate();
    return [];
  } catch (error) {
    return [`${place}: ${error instanceof Error ? error.message : error}`];
  }
}

/** Compiles the resources as literals of their types; a literal may not have a field that its type lacks. */
async function fieldProblems(resources: readonly Located[]): Promise<string[]> {
  const workspace = mkdtempSync(join(root, 'node_modules/.manifests-'));
  try {
    const sources = resources.map(({ resource }, index) => {
      const type = `import('${moduleOf(resource)}').I${resource.kind}`;
      return `export const resource${index}: ${type} = ${JSON.stringify(resource, null, 1)};\n`;
    });
    for (const [index, source] of sources.entries()) writeFileSync(join(workspace, `${index}.ts`), source);
    const options = { strict: true, skipLibCheck: true, noEmit: true, module: 'nodenext', types: [] };
    writeFileSync(join(workspace, 'tsconfig.json'), JSON.stringify({ compilerOptions: options }));
    const { exitCode, output } = await runTool('tsc', ['-p', workspace, '--pretty', 'false']);
    if (exitCode === 0) return [];
    const errors = output.split('\n').filter((line) => /error TS/.test(line));
    if (errors.length === 0) return [`tsc: ${output}`];
    return errors.map((line) => {
      const [, number = '', message = line] = /(\d+)\.ts\(.*?\): error (.*)/.exec(line) ?? [];
      return `${resources[Number(number)]?.place}: ${message}`;
    });
  } finally {
    rmSync(workspace, { recursive: true });
  }
}
