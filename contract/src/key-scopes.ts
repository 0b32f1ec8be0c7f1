/**
 * The scopes of an access key. `read` allows every call that changes nothing; each other one allows the calls of its area, whether they change
 * something or not. A key without a scope is refused (`key_scope`).
 */
export const keyScopes = ['collections', 'refunds', 'payouts', 'balance', 'read'] as const;
export type KeyScope = (typeof keyScopes)[number];

/** The scopes that signed calls name. `read` belongs to no area: every call that changes nothing accepts it as well. */
export type CallScope = Exclude<KeyScope, 'read'>;

/** A signed call, as far as scopes go. */
interface ScopedCall {
  readonly method: string;
  readonly scope?: CallScope;
}

/** Whether a key with these scopes may make a call. A call without a scope accepts no key. */
export function allowsCall(scopes: readonly KeyScope[], { method, scope }: ScopedCall): boolean {
  if (scope === undefined) return false;
  return scopes.includes(scope) || (method === 'GET' && scopes.includes('read'));
}
