import { setTimeout as sleep } from 'node:timers/promises';
import { Secret, TOTP } from 'otpauth';

const stepMs = 30_000;
/** What a call may take, so that the code it brings is still the one it was made for. */
const roomMs = 2000;

/** The code of an authenticator app; `steps` 30-second steps from now. */
export function codeOf(secret: string, steps = 0): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * stepMs });
}

/** The code of the step before, which the server takes too, made where the present step does not end meanwhile. */
export async function earlierCodeOf(secret: string): Promise<string> {
  const leftMs = stepMs - (Date.now() % stepMs);
  if (leftMs < roomMs) await sleep(leftMs);
  return codeOf(secret, -1);
}
