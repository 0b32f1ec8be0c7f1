import { parseAddress } from '#security/addresses.ts';

/** The site that passkeys belong to (WebAuthn: relying party) and the origin its pages have. */
export interface Site {
  id: string;
  origin: string;
}

/**
 * The site of a public address. An address without a name can have no passkeys (WebAuthn Level 3, §5.1.3): on a
 * developer's machine its pages are then opened by the name `localhost`.
 */
export function siteOf(appUrl: string): Site {
  const { protocol, hostname, port, origin } = new URL(appUrl);
  if (!parseAddress(hostname.replace(/^\[|\]$/g, ''))) return { id: hostname, origin };
  return { id: 'localhost', origin: `${protocol}//localhost${port && `:${port}`}` };
}
