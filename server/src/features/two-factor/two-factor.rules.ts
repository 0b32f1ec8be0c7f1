export const recoveryCodeCount = 8;

/**
 * Returns the codes with the used one replaced; undefined if it is not among them. Case, spaces and hyphens
 * do not matter.
 */
export function spendRecoveryCode(
  codes: readonly string[],
  typed: string,
  fresh: string,
): string[] | undefined {
  const plain = (text: string) => text.replaceAll(/[\s-]/g, '').toLowerCase();
  const index = codes.findIndex((code) => plain(code) === plain(typed));
  return index < 0 ? undefined : codes.with(index, fresh);
}
