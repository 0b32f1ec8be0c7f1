import type { EndpointShape } from '@hengfu/contract/endpoint';
import { openApiDocument } from '@hengfu/server/http/openapi-document.ts';
import { loadEndpoints } from '@hengfu/tools/contract';
import type { OpenDocument } from './model.ts';

/** Builds the OpenAPI document of all signed calls, as the product serves it, with its paths in alphabetical order. */
export async function signedDocument(): Promise<OpenDocument> {
  const endpoints = (await loadEndpoints()) as unknown as EndpointShape[];
  const signed = endpoints.filter(({ access }) => access === 'signed');
  // Through JSON, as it is served: members that are undefined are gone.
  return inOrder(JSON.parse(JSON.stringify(openApiDocument('Hengfu Open API', signed))));
}

/** Sorts the paths: the product lists them by feature, and the order says nothing. */
export function inOrder(document: OpenDocument): OpenDocument {
  const paths = Object.entries(document.paths).sort(([one], [other]) => (one < other ? -1 : 1));
  return { ...document, paths: Object.fromEntries(paths) };
}
