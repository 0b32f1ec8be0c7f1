import type { Socket } from 'node:net';
import pg from 'pg';
import { addressOf, type DatabaseUrl, parseDatabaseUrl } from '#security/database-url.ts';
import { findWritable } from './writable-host.ts';

/** Parts of a client that its type does not show. */
interface Inside {
  connection: {
    stream: Socket;
    on(event: 'parameterStatus', listener: (message: ParameterStatus) => void): void;
    on(event: 'readyForQuery', listener: () => void): void;
    off(event: 'readyForQuery', listener: () => void): void;
  };
  connectionParameters: { host: string; port: number };
}

interface ParameterStatus {
  parameterName: string;
  parameterValue: string;
}

/** Parameters that PostgreSQL (14 and later) reports at the start and after each change, without being asked. */
const readOnlyParameters: ReadonlySet<string> = new Set(['in_hot_standby', 'default_transaction_read_only']);
/** The function of PostgreSQL that waits for synchronous standbys. */
const syncWait = 'SyncRepWaitForLSN';

/** The server does not accept writes: it is a standby, or a leader that was fenced off. Nothing was written. */
export class ReadOnlyServerError extends Error {
  /** read_only_sql_transaction */
  readonly code = '25006';
}

/** Options of a {@link HostClient}. */
export interface HostClientConfig extends pg.ClientConfig {
  /** The address is that of a pooler, whose parameters are those of whichever server it used first. */
  isPooled?: boolean;
}

/**
 * A client whose URL may name several hosts: it connects to the one that accepts writes. It leaves a server that turns
 * read-only as soon as no transaction is open, and notices commits that no standby has confirmed.
 */
export class HostClient extends pg.Client {
  /** Whether its statements may take as long as they like. */
  isPatient = false;
  readonly #url: DatabaseUrl;
  readonly #readOnly = new Set<string>();
  #isUnconfirmed = false;
  #isHolding = false;

  constructor({ isPooled = false, ...config }: HostClientConfig = {}) {
    const url = parseDatabaseUrl(config.connectionString ?? '');
    super({ ...config, connectionString: url.hosts[0] });
    this.#url = url;
    // A broken connection already rejects its statements. Unhandled, the event would end the process.
    this.on('error', () => {});
    this.on('notice', ({ routine }) => {
      if (routine === syncWait) this.#isUnconfirmed = true;
    });
    if (!isPooled) this.#watchParameters();
  }

  /** Whether a server that accepts no writes is of no use. */
  get needsWrites(): boolean {
    return this.#url.needsWrites;
  }

  /** Whether its server has reported that it accepts no writes. */
  get isReadOnly(): boolean {
    return this.needsWrites && this.#readOnly.size > 0;
  }

  /**
   * Resolves once the server is ready for the next statement, or with an error if the connection ends before. To be called when a statement
   * has failed, in its callback.
   */
  untilReady(): Promise<Error | undefined> {
    const { connection } = this as unknown as Inside;
    return new Promise((resolve) => {
      const onReady = () => settle(undefined);
      const onEnd = () => settle(new Error('Connection terminated'));
      const settle = (fault: Error | undefined) => {
        connection.off('readyForQuery', onReady);
        this.off('end', onEnd);
        resolve(fault);
      };
      connection.on('readyForQuery', onReady);
      this.on('end', onEnd);
    });
  }

  /** Holds back what is sent from now on, until `flush` or the end of this turn of the event loop: one packet instead of several. */
  hold(): void {
    if (this.#isHolding) return;
    this.#isHolding = true;
    this.#stream.cork();
    setImmediate(() => this.flush());
  }

  /** Sends what was held back. */
  flush(): void {
    if (!this.#isHolding) return;
    this.#isHolding = false;
    this.#stream.uncork();
  }

  /**
   * Whether a commit since the last call was cut short while it waited for the synchronous standbys: it is on this server, but
   * a standby that is promoted may lack it. PostgreSQL only warns of that.
   */
  takeUnconfirmed(): boolean {
    const was = this.#isUnconfirmed;
    this.#isUnconfirmed = false;
    return was;
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: ((error: Error) => void) | ((error: null, client: pg.Client) => void)): void;
  override connect(callback?: unknown): unknown {
    const connected = this.#connect();
    if (typeof callback !== 'function') return connected;
    connected.then(
      (client) => callback(null, client),
      (error) => callback(error, this),
    );
    return undefined;
  }

  async #connect(): Promise<pg.Client> {
    const { hosts, needsWrites } = this.#url;
    if (hosts.length > 1 && needsWrites) this.#use(await findWritable(hosts));
    await super.connect();
    if (!this.isReadOnly) return this;
    void this.end().catch(() => {});
    throw new ReadOnlyServerError('the server accepts no writes');
  }

  get #stream(): Socket {
    return (this as unknown as Inside).connection.stream;
  }

  /** Takes host and port of one of the URLs, which are otherwise the same. */
  #use(url: string): void {
    const address = addressOf(url);
    const { connection, connectionParameters } = this as unknown as Inside;
    // The pool has lost patience meanwhile. Its socket would connect again, and nobody would end it.
    if (connection.stream.destroyed) throw new Error('Connection terminated');
    Object.assign(this, address);
    Object.assign(connectionParameters, address);
  }

  #watchParameters(): void {
    const { connection } = this as unknown as Inside;
    connection.on('parameterStatus', ({ parameterName, parameterValue }) => {
      if (!readOnlyParameters.has(parameterName)) return;
      if (parameterValue === 'on') this.#readOnly.add(parameterName);
      else this.#readOnly.delete(parameterName);
    });
    this.on('drain', () => {
      if (this.isReadOnly && this.getTransactionStatus() === 'I')
        connection.stream.destroy(new ReadOnlyServerError('the server accepts no more writes'));
    });
  }
}
