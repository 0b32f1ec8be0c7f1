import { type ApiVersion, apiVersions, versionHeader } from '@hengfu/contract/open-api';
import { Refusal } from '#domain/refusal.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The version of the Open API that answers a signed call, once it is known. */
    apiVersion?: ApiVersion;
  }
}

const policyPath = '/docs/open-api-versions';

/**
 * Returns the version that a call names; the oldest one if it names none, because that is what it was written for. Throws
 * `unknown_version`, also for one that has ended.
 */
export function versionOf(
  header: string | string[] | undefined,
  at: Date,
  versions: readonly ApiVersion[] = apiVersions,
): ApiVersion {
  const answered = versions.filter(({ endsAt }) => !endsAt || at < endsAt);
  const found = header === undefined ? answered[0] : answered.find(({ name }) => name === header);
  if (found) return found;
  const names = answered.map(({ name }) => name);
  throw new Refusal('unknown_version', {
    values: { version: String(header).slice(0, 40), versions: names.join(', ') },
    details: { versions: names },
  });
}

/** Returns the fields that name a version, and say when it ends: Deprecation (RFC 9745) and Sunset (RFC 8594). */
export function versionFields(version: ApiVersion, publicUrl: string): Record<string, string> {
  const { name, deprecatedAt, endsAt } = version;
  return {
    [versionHeader.toLowerCase()]: name,
    ...(deprecatedAt && {
      deprecation: `@${Math.floor(deprecatedAt.getTime() / 1000)}`,
      link: `<${publicUrl}${policyPath}>; rel="deprecation"; type="text/html"`,
    }),
    ...(endsAt && { sunset: endsAt.toUTCString() }),
  };
}
