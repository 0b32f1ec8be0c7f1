/** Multiplies a decimal amount by a whole number, without rounding: "10.50" × 3 → "31.50". */
export function times(amount: string, quantity: number): string {
  const [whole = '0', decimals = ''] = amount.split('.');
  const minor = (BigInt(whole + decimals) * BigInt(quantity)).toString().padStart(decimals.length + 1, '0');
  if (decimals === '') return minor;
  return `${minor.slice(0, -decimals.length)}.${minor.slice(-decimals.length)}`;
}
