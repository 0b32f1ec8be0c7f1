import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import staticFiles from '@fastify/static';
import type { EndpointShape } from '@hengfu/contract/endpoint';
import type { FastifyInstance } from 'fastify';
import { openApiDocument } from './openapi-document.ts';

/** One API of the product: its title and the endpoints in it. */
export interface ApiDescription {
  name: 'console' | 'open' | 'staff';
  title: string;
  endpoints: readonly EndpointShape[];
}

/** Hash of the one inline style sheet that Swagger UI adds to the page; no other is allowed. */
const swaggerStyle = 'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w=';

/** Adds /api/docs, or another path: OpenAPI 3.1 documents generated from the contract, and a page to read them. */
export async function docsRoutes(
  app: FastifyInstance,
  apis: readonly ApiDescription[],
  path = '/api/docs',
): Promise<void> {
  for (const api of apis) {
    // Written with the first request: few installations are ever asked for it.
    let document: string | undefined;
    app.get(`${path}/${api.name}.json`, async (_request, reply) => {
      document ??= JSON.stringify(openApiDocument(api.title, api.endpoints));
      return reply.type('application/json').send(document);
    });
  }
  const assets = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  await app.register(staticFiles, {
    root: assets,
    prefix: `${path}/assets/`,
    allowedPath: (file) =>
      /^\/(swagger-ui\.css|swagger-ui-bundle\.js|swagger-ui-standalone-preset\.js)$/.test(file),
    decorateReply: false,
  });
  app.get(path, async (request, reply) => {
    const policy = String(reply.getHeader('content-security-policy'));
    return reply
      .header('content-security-policy', policy.replace('style-src', `style-src '${swaggerStyle}'`))
      .type('text/html; charset=utf-8')
      .send(page(apis, path, request.cspNonce));
  });
}

/** Leads to the page of the console on which people in test mode send the calls of the Open API. */
function sendingLink(apis: readonly ApiDescription[]): string {
  const isMerchants = apis.some(({ name }) => name === 'open');
  return isMerchants
    ? '<p><a href="/developers/reference">Send the calls of the Open API in test mode</a></p>'
    : '';
}

function page(apis: readonly ApiDescription[], path: string, nonce: string): string {
  const urls = JSON.stringify(apis.map((api) => ({ name: api.title, url: `${path}/${api.name}.json` })));
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>API</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${path}/assets/swagger-ui.css"></head><body>${sendingLink(apis)}<div id="docs"></div>
<script src="${path}/assets/swagger-ui-bundle.js" nonce="${nonce}"></script>
<script src="${path}/assets/swagger-ui-standalone-preset.js" nonce="${nonce}"></script>
<script nonce="${nonce}">SwaggerUIBundle({ urls: ${urls}, dom_id: '#docs', layout: 'StandaloneLayout',
presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset], supportedSubmitMethods: [] });</script></body></html>`;
}
