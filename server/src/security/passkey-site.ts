import { parseAddress } from './addresses.ts';

/** The site that passkeys belong to (the relying party of WebAuthn), and the origin of its pages. */
export interface Site {
  id: string;
  origin: string;
}

/**
 * Returns the site of a public URL. An IP address cannot have passkeys (WebAuthn Level 3, §5.1.3), so on a
 * developer's machine the pages have to be opened as `localhost`.
 */
export function siteOf(appUrl: string): Site {
  const { protocol, hostname, port, origin } = new URL(appUrl);
  if (!parseAddress(hostname.replace(/^\[|\]$/g, ''))) return { id: hostname, origin };
  return { id: 'localhost', origin: `${protocol}//localhost${port && `:${port}`}` };
}
