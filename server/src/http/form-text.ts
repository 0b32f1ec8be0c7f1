import { parse } from 'node:querystring';
import { requestLimits } from '@hengfu/contract/endpoint';

/**
 * Reads `name=value` pairs as queries and forms have them; a name that comes twice is a list. One field more than may be is
 * read, so that whoever judges the result sees that there are too many.
 */
export function parsePairs(text: string): Record<string, unknown> {
  return parse(text, '&', '=', { maxKeys: requestLimits.fields + 1 });
}

/** Whether every `%` stands for a byte and the bytes are UTF-8: else what is read is not what was sent. */
export function isWellEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
