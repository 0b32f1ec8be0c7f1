import { setTimeout as sleep } from 'node:timers/promises';
import { Secret, TOTP } from 'otpauth';

const stepMs = 30_000;
/** Time for a call to arrive before the step of its code ends. */
const callTimeMs = 2000;
const marginMs = 50;

/** Returns the code of an authenticator app, `steps` 30-second steps from now. */
export function codeOf(secret: string, steps = 0): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * stepMs });
}

/** Returns the previous code, which the server also accepts; waits if the current step is about to end. */
export async function earlierCodeOf(secret: string): Promise<string> {
  const leftMs = stepMs - (Date.now() % stepMs);
  // A timer may fire a moment before the clock has reached its time.
  if (leftMs < callTimeMs) await sleep(leftMs + marginMs);
  return codeOf(secret, -1);
}
