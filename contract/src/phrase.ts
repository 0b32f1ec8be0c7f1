import type { PhraseKey } from '@hengfu/phrases/phrases';

/** Names the phrase that a failed rule shows: schemas carry keys, the server and the console translate them. */
export function phrase(key: PhraseKey): PhraseKey {
  return key;
}
