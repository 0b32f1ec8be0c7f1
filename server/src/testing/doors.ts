import { type EndpointShape, requestLimits } from '@hengfu/contract/endpoint';
import { callLimits } from '@hengfu/contract/open-api';
import { developerDocuments } from '#http/open-api/developer-pages.ts';

/** An entry point that is not an endpoint of the contract. */
export interface OtherDoor {
  /** Method and path as in the router. */
  route: string;
  who: string;
  what: string;
}

/** Every route that the web side binds beside the contract's endpoints. */
export const otherDoors: readonly OtherDoor[] = [
  {
    route: 'GET /api/merchant/events',
    who: 'session, level complete; 32 streams a user, 256 a merchant',
    what: 'the topics that changed, as server-sent events',
  },
  { route: 'POST /api/channels/:channel/callback', who: 'a channel, by its signature', what: 'reports' },
  { route: 'GET /healthz', who: 'anyone', what: 'one word' },
  { route: 'GET /readyz', who: 'anyone', what: 'one word' },
  { route: 'GET /api/docs', who: 'anyone', what: 'the documents of both APIs' },
  { route: 'GET /api/docs/console.json', who: 'anyone', what: 'OpenAPI of the console’s calls' },
  { route: 'GET /api/docs/open.json', who: 'anyone', what: 'OpenAPI of the Open API' },
  { route: 'GET /api/docs*', who: 'anyone', what: 'files of the documents’ viewer' },
  ...developerDocuments.map((name) => ({
    route: `GET /docs/${name}`,
    who: 'anyone',
    what: 'a document for developers',
  })),
  { route: 'GET /docs/errors/:code', who: 'anyone', what: 'the page of an error code' },
  { route: 'GET /assets/*', who: 'anyone', what: 'files of the built console' },
  { route: 'GET /pay/:token', who: 'whoever has the link', what: 'the payer’s page' },
  { route: 'GET /receipt/:token', who: 'whoever has the link', what: 'the receipt of a payment' },
  { route: 'GET /pay/link/:token', who: 'whoever has the link', what: 'the page of a payment link' },
];

/** Every route that the back office binds beside the contract's endpoints. Its documents exist in the demo alone. */
export const otherStaffDoors: readonly OtherDoor[] = [
  {
    route: 'GET /api/staff/events',
    who: 'our staff, level complete; 32 streams a person',
    what: 'the topics that changed, as server-sent events',
  },
  { route: 'GET /healthz', who: 'anyone', what: 'one word' },
  { route: 'GET /readyz', who: 'anyone', what: 'one word' },
  { route: 'GET /api/staff/docs', who: 'anyone, in the demo', what: 'the document of the API' },
  { route: 'GET /api/staff/docs/staff.json', who: 'anyone, in the demo', what: 'OpenAPI of the calls' },
  { route: 'GET /api/staff/docs*', who: 'anyone, in the demo', what: 'files of the document’s viewer' },
  { route: 'GET /assets/*', who: 'anyone', what: 'files of the built back office' },
];

/** Formats every entry point as Markdown: permitted callers, session level, maximum body and rate limits. */
export function inventory(endpoints: readonly EndpointShape[]): string {
  const isOfStaff = ({ path }: EndpointShape) => path.startsWith('/api/staff/');
  const ofMerchants = endpoints.filter((endpoint) => !isOfStaff(endpoint));
  const groups = [
    ['Signed-in people', ofMerchants.filter(({ access }) => access === 'session')],
    ['Merchants’ programs', ofMerchants.filter(({ access }) => access === 'signed')],
    ['Anyone', ofMerchants.filter(({ access }) => access === 'public')],
    ['Our staff, on the address of the back office', endpoints.filter(isOfStaff)],
  ] as const;
  const tables = groups.map(
    ([title, group]) => `## ${title}

| call | who | body | limits |
| --- | --- | --- | --- |
${group.map(rowOf).sort().join('\n')}
`,
  );
  return `# Entry points

Every route of the product, generated from the contract by \`UPDATE_DOORS=1 npm test -- --only=server doors\`. Without the
variable, the same test fails if page and contract differ, or if a route is bound that is not listed here.

- **who**: permission, then the level that the session must have passed where it is not \`complete\`
  (\`contract/src/authentication.ts\`); "password" where the login password must have been confirmed in the last 15 minutes.
- **body**: maximum size; a body has at most ${requestLimits.fields} fields in an object, ${requestLimits.values.toLocaleString('en')} values in all and
  ${requestLimits.depth} levels unless the call says otherwise.
- **limits**: what is refused with 429, and whether a repeated call takes effect once (\`Idempotency-Key\`).

The tests that cover each entry point: level, permission, tenancy and confirmation by \`access-matrix\`; token, size and
twenty at once by \`doors\`; hostile values of every field by \`hostile-input\`; the same of the back office by \`staff-door\`,
\`staff-doors\` and \`staff-hostile-input\`; cost by \`npm run bench -- hostile\`; the trail by
\`audit-trail\`.

${tables.join('\n')}
## Others

| route | who | what |
| --- | --- | --- |
${otherDoors.map(({ route, who, what }) => `| \`${route}\` | ${who} | ${what} |`).join('\n')}

On the address of the back office:

| route | who | what |
| --- | --- | --- |
${otherStaffDoors.map(({ route, who, what }) => `| \`${route}\` | ${who} | ${what} |`).join('\n')}

Any other address is answered with the console’s page, or with 404 where it looks like a file or a call. Metrics have a port of their own on 127.0.0.1 (\`METRICS_PORT\`). The database and the sandbox bank listen on 127.0.0.1.
`;
}

const limitCodes = ['too_many_attempts', 'too_many_requests', 'uploads_busy', 'quota_reached'];

function rowOf(endpoint: EndpointShape): string {
  const { method, path, level, isPasswordConfirmed, bodyLimitBytes, isIdempotent, isSignIn } = endpoint;
  const who = [
    endpoint.perm ?? endpoint.staffPerm,
    level && `level ${level}`,
    isPasswordConfirmed && 'password',
    endpoint.crossSite && 'no token',
  ];
  const body = method === 'GET' ? '–' : kibibytes(bodyLimitBytes ?? requestLimits.bodyBytes);
  const isSigned = endpoint.access === 'signed';
  const limit = callLimits[endpoint.callLimit ?? 'calls'];
  const limits = [
    isSigned && `${limit.quota.toLocaleString('en')} of a merchant in ${limit.windowSeconds} s`,
    isSigned && method !== 'GET' && 'idempotency key',
    isSignIn && 'sign-in bucket of the address',
    ...endpoint.errors.filter((code) => limitCodes.includes(code)),
    isIdempotent && 'idempotency key',
  ];
  return `| \`${method} ${path}\` | ${listed(who)} | ${body} | ${listed(limits)} |`;
}

function listed(parts: readonly (string | false | undefined)[]): string {
  return parts.filter(Boolean).join(', ') || '–';
}

function kibibytes(bytes: number): string {
  return `${(bytes / 1024).toLocaleString('en', { maximumFractionDigits: 1 })} KiB`;
}
