import { join } from 'node:path';
import { isTest, isTypeScript, listFiles, root } from '../sources.ts';
import type { Check } from './check.ts';

/** The part of an endpoint (contract/src/endpoint.ts) that is checked here; the compiler checks the types. */
interface Endpoint {
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly access: string;
  readonly scope?: string;
  readonly perm?: string;
  readonly staffPerm?: string;
  readonly staffLevel?: string;
  readonly params?: { readonly shape: Readonly<Record<string, unknown>> };
  readonly status: number;
  readonly reply?: unknown;
  readonly isFile?: boolean;
  readonly errors: readonly string[];
}

/** Checks what the contract's types can't enforce: unique routes, documented endpoints, known errors. */
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

/** Loads every endpoint that the contract exports. */
export async function loadEndpoints(): Promise<Endpoint[]> {
  const files = listFiles().filter(
    (path) => path.startsWith('contract/src/') && isTypeScript(path) && !isTest(path),
  );
  const modules = await Promise.all(files.map((file) => import(join(root, file))));
  return modules.flatMap((exports) => findEndpoints(exports));
}

/** Finds the endpoints among a module's exports: exported directly, or one level down in a record. */
export function findEndpoints(exports: object): Endpoint[] {
  const isRecord = (value: unknown): value is object => typeof value === 'object' && value !== null;
  const isEndpoint = (value: unknown): value is Endpoint =>
    isRecord(value) && 'method' in value && 'path' in value && 'access' in value;
  return Object.values(exports).flatMap((value) => {
    if (isEndpoint(value)) return [value];
    return isRecord(value) ? Object.values(value).filter(isEndpoint) : [];
  });
}

/** Lists the problems of a set of endpoints. `errorCodes` are the codes that the contract defines. */
export function checkEndpoints(endpoints: readonly Endpoint[], errorCodes: readonly string[]): string[] {
  const seen = new Set<string>();
  return endpoints.flatMap((endpoint) => {
    const name = `${endpoint.method} ${endpoint.path}`;
    const route = name.replace(/:\w+/g, ':');
    const isRepeated = seen.has(route);
    seen.add(route);
    const problems = isRepeated ? ['declared twice'] : [];
    return [...problems, ...problemsOf(endpoint, errorCodes)].map((problem) => `${name}: ${problem}`);
  });
}

function problemsOf({ path, params, ...endpoint }: Endpoint, errorCodes: readonly string[]): string[] {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name).sort();
  const inSchema = Object.keys(params?.shape ?? {}).sort();
  const unknown = endpoint.errors.filter((code) => !errorCodes.includes(code));
  const rules: [boolean, string][] = [
    [/^[A-Z].*[.]$/s.test(endpoint.summary), 'the summary is not a sentence'],
    [`${inPath}` === `${inSchema}`, `the path has (${inPath}), params has (${inSchema})`],
    [
      path.startsWith('/openapi/') === (endpoint.access === 'signed'),
      'signed calls, and only they, start with /openapi/',
    ],
    [
      (endpoint.scope !== undefined) === (endpoint.access === 'signed'),
      'signed calls, and only they, name the scope that a key needs',
    ],
    [endpoint.perm === undefined || endpoint.access === 'session', 'a permission needs access: session'],
    [
      (endpoint.staffPerm === undefined && endpoint.staffLevel === undefined) || endpoint.access === 'staff',
      'a permission or a level of our staff needs access: staff',
    ],
    [
      path.startsWith('/api/staff/') || endpoint.access !== 'staff',
      'calls of our staff start with /api/staff/',
    ],
    [
      (endpoint.status === 204 || endpoint.isFile === true) === (endpoint.reply === undefined),
      '200 and 201 need a reply; 204 and files must not have one',
    ],
    [unknown.length === 0, `errors that contract/src/errors.ts does not define: ${unknown}`],
    [new Set(endpoint.errors).size === endpoint.errors.length, 'an error is listed twice'],
  ];
  return rules.filter(([holds]) => !holds).map(([, problem]) => problem);
}
