/**
 * Reasons why a callback got no response. `notPublic`: the name does not exist in public DNS, or the address
 * is not a public one; the two are not distinguished, because that would reveal which names exist in our
 * network.
 */
export const callbackFailures = [
  'notPublic',
  'unreachable',
  'timeout',
  'certificate',
  'noHttp',
  'other',
] as const;
export type CallbackFailure = (typeof callbackFailures)[number];
