/**
 * Why a callback got no answer. `notPublic`: the name does not exist in public DNS, or the address is not a public one;
 * which of the two is not told, because it would show which names exist in our network.
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
