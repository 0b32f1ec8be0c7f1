import { join } from 'node:path';
import type { RulesetDefinition } from '@stoplight/spectral-core';
import spectral from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';
import { root } from '../sources.ts';
import type { Check } from './check.ts';
import { loadEndpoints } from './contract.ts';

/** The documents by the access of their calls, as the product serves them. */
const documents = { open: ['signed'], console: ['session', 'public'], staff: ['staff'] } as const;

/** Checks the OpenAPI documents with the recommended rules of Spectral, which tools that read such documents rely on. */
export const openApi: Check = {
  name: 'OpenAPI documents',
  run: async () => {
    const { openApiDocument } = await import(join(root, 'server/src/http/openapi-document.ts'));
    const endpoints = await loadEndpoints();
    const problems: string[] = [];
    for (const [name, accesses] of Object.entries(documents)) {
      const described = endpoints.filter(({ access }) => accesses.some((each) => each === access));
      const document: object = openApiDocument(`Hengfu ${name} API`, described);
      for (const problem of await documentProblems(document)) problems.push(`${name}.json: ${problem}`);
    }
    return { problems, note: Object.keys(documents).join(', ') };
  },
};

/**
 * The rule that a security scheme is defined, with its scopes. It asks schemes without scopes for them, too, while OpenAPI 3.1 lets
 * these name the roles that a call needs: ours name permissions.
 */
const definedSecurity = 'oas3-operation-security-defined';
const namesPermission = /^"\w+\.\w+" must be listed among scopes/;

/** Lists what breaks a rule in a document, whatever its severity. */
export async function documentProblems(document: object): Promise<string[]> {
  const linter = new spectral.Spectral();
  const rules: RulesetDefinition = { extends: [oas as RulesetDefinition] };
  linter.setRuleset(rules);
  // Through JSON, as it is served: members that are undefined are gone.
  const found = await linter.run(JSON.parse(JSON.stringify(document)));
  return found
    .filter(({ code, message }) => !(code === definedSecurity && namesPermission.test(message)))
    .map(({ code, path, message }) => `${path.join(' › ')}: ${message} (${code})`);
}
