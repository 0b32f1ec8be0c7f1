import pg from 'pg';

/** A statement, prepared if it has a name. */
export interface Statement {
  text: string;
  values: unknown[];
  name?: string;
}

/** Parts of a connection and of a query that their types do not show. */
interface Wire {
  parsedStatements: Record<string, string | undefined>;
  submittedNamedStatements: Record<string, string | undefined>;
  parse(message: { name: string; text: string }): void;
  bind(message: { statement: string; values: readonly unknown[] }): void;
  execute(message: object): void;
  flush(): void;
  sync(): void;
}

interface Inside {
  prepare(wire: Wire): void;
  handleDataRow(message: { fields: readonly (Buffer | string | null)[] }): void;
  handleCommandComplete(message: unknown, wire: Wire): void;
}

const parent = pg.Query.prototype as unknown as Inside;
/** Openings that each connection has prepared. */
const prepared = new WeakMap<Wire, Set<string>>();

/**
 * A transaction of one statement, in one packet: its opening, whose first column says whether the transaction has begun read-only, and
 * then the statement, whose result is that of the query. PostgreSQL commits at the end of the packet, and rolls back if either
 * fails.
 */
export class OpenedQuery extends pg.Query {
  /** Whether the opening has succeeded. */
  isOpen = false;
  /** Whether the transaction has begun read-only. Known once it is open. */
  isReadOnly = false;
  /**
   * Whether `pg` is wrong about the statement if its preparation fails: it counts it as prepared as soon as the opening of the same packet
   * is.
   */
  isMistaken = false;
  readonly #name: string;
  readonly #opening: Statement;
  readonly #onExecuted: (() => void) | undefined;

  /** @param onExecuted called once the statement has been executed, before its commit */
  constructor(
    opening: Statement,
    statement: Statement,
    callback: (error: Error | undefined, result: pg.QueryResult) => void,
    onExecuted?: () => void,
  ) {
    // Without parameters, it would be sent as a text of its own, with a transaction of its own.
    super({ ...statement, queryMode: 'extended' } as pg.QueryConfig, callback as never);
    this.#name = statement.name ?? '';
    this.#opening = opening;
    this.#onExecuted = onExecuted;
  }

  /** Executes the statement; `pg` calls it by this name. Without the flush, PostgreSQL would send the result only after the commit. */
  _getRows(wire: Wire): void {
    wire.execute({});
    if (this.#onExecuted) wire.flush();
    wire.sync();
  }

  prepare(wire: Wire): void {
    const { name = '', text, values } = this.#opening;
    const known = prepared.get(wire) ?? new Set();
    prepared.set(wire, known);
    const isNew = !known.has(name);
    if (isNew) wire.parse({ name, text });
    if (name) known.add(name);
    wire.bind({ statement: name, values });
    wire.execute({});
    const { parsedStatements, submittedNamedStatements } = wire;
    const isPrepared = (parsedStatements[this.#name] ?? submittedNamedStatements[this.#name]) !== undefined;
    this.isMistaken = isNew && this.#name !== '' && !isPrepared;
    parent.prepare.call(this, wire);
  }

  handleDataRow(message: Parameters<Inside['handleDataRow']>[0]): void {
    if (this.isOpen) parent.handleDataRow.call(this, message);
    else this.isReadOnly = String(message.fields[0]) === 'on';
  }

  handleCommandComplete(message: unknown, wire: Wire): void {
    if (!this.isOpen) {
      this.isOpen = true;
      return;
    }
    parent.handleCommandComplete.call(this, message, wire);
    this.#onExecuted?.();
  }
}
