/** How a transaction begins. */
export interface Opening {
  /** Settings by name, which end with the transaction: the role, the merchant whose rows it sees, its timeouts. */
  settings: Readonly<Record<string, string>>;
  /** Whether it reads everything as of one moment, and writes nothing. */
  isSnapshot: boolean;
  /** Whether the server has to say with its first reply if it accepts writes. */
  asksForWrites: boolean;
}

/** Begins a transaction of several statements. Its last result has `transaction_read_only`, if that is asked for. */
export function openingText({ settings, isSnapshot, asksForWrites }: Opening): string {
  const lines = Object.entries(settings).map(([name, value]) => `SET LOCAL ${name} = '${value}'`);
  const begin = isSnapshot ? 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY' : 'BEGIN';
  return [begin, ...lines, ...(asksForWrites ? ['SHOW transaction_read_only'] : [])].join('; ');
}

/**
 * Applies the settings within a transaction of one more statement, which is a snapshot by itself. Returns in its first column whether the
 * transaction has begun read-only.
 */
export function openingStatement({ settings, isSnapshot }: Opening): { text: string; values: string[] } {
  const all = isSnapshot ? { ...settings, transaction_read_only: 'on' } : settings;
  const calls = Object.keys(all).map((name, index) => `set_config('${name}', $${index + 1}, true)`);
  return {
    text: `select ${["current_setting('transaction_read_only')", ...calls].join(', ')}`,
    values: Object.values(all),
  };
}
