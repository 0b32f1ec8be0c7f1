import { parse } from 'node:querystring';
import { requestLimits } from '@hengfu/contract/endpoint';

/**
 * Parses the `name=value` pairs of a query or form; a repeated name becomes a list. Reads one field more than
 * allowed, so that validation sees that there are too many.
 */
export function parsePairs(text: string): Record<string, unknown> {
  return parse(text, '&', '=', { maxKeys: requestLimits.fields + 1 });
}

/** Whether all percent-encoding is valid UTF-8; otherwise the decoded text differs from what was sent. */
export function isWellEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
