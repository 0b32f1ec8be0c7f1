import { type ImageType, maxImagePixels } from '@hengfu/contract/images';
import type { PhraseKey } from '@hengfu/phrases/phrases';
import { fieldRefusal, Refusal } from './refusal.ts';

/** An uploaded picture, re-encoded for storage. */
export interface Image {
  type: ImageType;
  bytes: Buffer;
  sha256: Buffer;
}

const busyRetrySeconds = 5;

/** Creates the refusal of an uploaded picture. `unreadable` is the phrase for a file that is no picture. */
export function imageRefusal(
  fault: 'unreadable' | 'tooManyPixels' | 'busy',
  { field, unreadable }: { field: string; unreadable: PhraseKey },
): Refusal {
  if (fault === 'busy')
    return new Refusal('uploads_busy', {
      values: { count: busyRetrySeconds },
      retryAfterSeconds: busyRetrySeconds,
    });
  if (fault === 'tooManyPixels')
    return fieldRefusal(field, 'validation.screenshotPixels', { side: Math.sqrt(maxImagePixels) });
  return fieldRefusal(field, unreadable);
}
