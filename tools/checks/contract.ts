import { join } from 'node:path';
import { isTest, isTypeScript, listFiles, root } from '../sources.ts';
import type { Check } from './check.ts';

/** The part of an endpoint (contract/src/endpoint.ts) that is checked here; types are the compiler's work. */
interface Endpoint {
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly access: string;
  readonly perm?: string;
  readonly params?: { readonly shape: Readonly<Record<string, unknown>> };
  readonly status: number;
  readonly reply?: unknown;
  readonly isFile?: boolean;
  readonly errors: readonly string[];
}

/** The contract's promises that its types can't hold: no two endpoints alike, each documented, its errors known. */
export const contract: Check = {
  name: 'contract',
  run: async () => {
    const { errorStatus } = await import(join(root, 'contract/src/errors.ts'));
    const endpoints = await loadEndpoints();
    return {
      problems: checkEndpoints(endpoints, Object.keys(errorStatus)),
      note: `${endpoints.length} endpoints`,
    };
  },
};

/** Every endpoint that the contract exports. */
export async function loadEndpoints(): Promise<Endpoint[]> {
  const files = listFiles().filter(
    (path) => path.startsWith('contract/src/') && isTypeScript(path) && !isTest(path),
  );
  const modules = await Promise.all(files.map((file) => import(join(root, file))));
  return modules.flatMap((exports) => findEndpoints(exports));
}

/** The endpoints among a module's exports: themselves, or one level down in a record of them. */
export function findEndpoints(exports: object): Endpoint[] {
  const isRecord = (value: unknown): value is object => typeof value === 'object' && value !== null;
  const isEndpoint = (value: unknown): value is Endpoint =>
    isRecord(value) && 'method' in value && 'path' in value && 'access' in value;
  return Object.values(exports).flatMap((value) => {
    if (isEndpoint(value)) return [value];
    return isRecord(value) ? Object.values(value).filter(isEndpoint) : [];
  });
}

/** What is wrong with a set of endpoints; `errorCodes` is the catalogue. */
export function checkEndpoints(endpoints: readonly Endpoint[], errorCodes: readonly string[]): string[] {
  const seen = new Set<string>();
  return endpoints.flatMap((endpoint) => {
    const name = `${endpoint.method} ${endpoint.path}`;
    const route = name.replace(/:\w+/g, ':');
    const isRepeated = seen.has(route);
    seen.add(route);
    const problems = isRepeated ? ['declared twice'] : [];
    return [...problems, ...faultsOf(endpoint, errorCodes)].map((problem) => `${name}: ${problem}`);
  });
}

function faultsOf({ path, params, ...endpoint }: Endpoint, errorCodes: readonly string[]): string[] {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name).sort();
  const inSchema = Object.keys(params?.shape ?? {}).sort();
  const unknown = endpoint.errors.filter((code) => !errorCodes.includes(code));
  const rules: [boolean, string][] = [
    [/^[A-Z].*[.]$/s.test(endpoint.summary), 'the summary is not a sentence'],
    [`${inPath}` === `${inSchema}`, `the path has (${inPath}), params has (${inSchema})`],
    [
      path.startsWith('/openapi/') === (endpoint.access === 'signed'),
      'signed calls, and they alone, are under /openapi/',
    ],
    [endpoint.perm === undefined || endpoint.access === 'session', 'a permission needs access: session'],
    [
      (endpoint.status === 204 || endpoint.isFile === true) === (endpoint.reply === undefined),
      'a reply goes with 200 and 201, none with 204 and with a file',
    ],
    [unknown.length === 0, `errors that contract/src/errors.ts does not have: ${unknown}`],
    [new Set(endpoint.errors).size === endpoint.errors.length, 'an error is named twice'],
  ];
  return rules.filter(([holds]) => !holds).map(([, problem]) => problem);
}
