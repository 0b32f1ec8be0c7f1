import type { Currency } from '@hengfu/contract/money';
import { parseStatementDay } from '@hengfu/contract/staff/statement-mapping';
import type { Place } from './camt-places.rules.ts';
import {
  maxReferenceLength,
  maxTextLength,
  type ParsedLine,
  parseStatementAmount,
  type StatedBalances,
  UnreadableStatement,
} from './line-fields.rules.ts';

/** An element that is open, with its own text so far. */
export interface OpenElement {
  /** Undefined if nothing there is read. */
  place: Place | undefined;
  text: string;
  /** Its attribute `Ccy`. */
  currency: string | undefined;
}

/** The parts of an entry, or of one transaction of it, that have been read so far. */
interface Movement {
  amountMinor?: bigint;
  isCredit?: boolean;
  isReversal?: boolean;
  isBooked?: boolean;
  valueDay?: string;
  reference?: string;
  bankReference?: string;
  text?: string;
}

interface Entry extends Movement {
  /** How many transactions it has, and the sum of their amounts; undefined once one has none of its own. */
  transactions: number;
  sumMinor: bigint | undefined;
}

interface Balance extends Movement {
  code?: string;
}

/**
 * Collects the movements of a camt.053 statement. An entry without details is one movement, an entry with several transactions
 * is one for each; those must have amounts, which add up to the entry's. Entries that are not booked are left out.
 */
export class CamtReader {
  readonly #currency: Currency;
  readonly #day: string;
  #lines: ParsedLine[] = [];
  #count = 0;
  #sumMinor = 0n;
  #statements = 0;
  #entries = 0;
  #entry: Entry | undefined;
  #transaction: Movement | undefined;
  #balance: Balance | undefined;
  #statedEntries: number | undefined;
  #lastDay: { text: string; day: string } | undefined;
  readonly #balances: StatedBalances = { openingMinor: null, closingMinor: null };

  constructor(currency: Currency, day: string) {
    this.#currency = currency;
    this.#day = day;
  }

  /** Number of the movement that is read next. */
  get lineNo(): number {
    return this.#count + 1;
  }

  /** Returns the movements since the last call. */
  take(): ParsedLine[] {
    const lines = this.#lines;
    this.#lines = [];
    return lines;
  }

  /** An element has been opened. */
  opened({ place }: OpenElement): void {
    switch (place?.name) {
      case 'Stmt':
        if (++this.#statements > 1) this.#refuse('severalStatements');
        return;
      case 'Ntry':
        this.#entry = { transactions: 0, sumMinor: 0n };
        return;
      case 'TxDtls':
        this.#transaction = {};
        return;
      case 'Bal':
        this.#balance = {};
    }
  }

  /** An element is being closed, the last one opened that is not. */
  closed(element: OpenElement): void {
    const { place, text } = element;
    switch (place?.name) {
      case undefined:
      case '':
        return;
      case 'Acct/Ccy':
        if (text.trim() !== this.#currency) this.#refuse('currency');
        return;
      case 'FrToDt/FrDtTm':
      case 'FrToDt/FrDt':
        if (parseStatementDay(text) !== this.#day) this.#refuse('day');
        return;
      case 'TxsSummry/TtlNtries/NbOfNtries':
        this.#statedEntries = Number(text);
        return;
      case 'Bal':
        this.#closeBalance();
        return;
      case 'Ntry':
        this.#closeEntry();
        return;
      case 'TxDtls':
        this.#closeTransaction();
        return;
    }
    const movement = this.#transaction ?? this.#entry;
    if (movement) this.#read(movement, element);
    else if (this.#balance) this.#readBalance(this.#balance, element);
  }

  /** Returns the balances of the statement, after checking what it says about itself. */
  end(): StatedBalances {
    if (this.#statements === 0) throw new UnreadableStatement('notCamt');
    if (this.#statedEntries !== undefined && this.#statedEntries !== this.#entries)
      throw new UnreadableStatement('count');
    const { openingMinor, closingMinor } = this.#balances;
    if (openingMinor !== null && closingMinor !== null && openingMinor + this.#sumMinor !== closingMinor)
      throw new UnreadableStatement('balances');
    return this.#balances;
  }

  #read(movement: Movement, { place, text, currency }: OpenElement): void {
    switch (place?.name) {
      case 'Amt':
      case 'AmtDtls/TxAmt/Amt':
        movement.amountMinor ??= this.#amount(text, currency);
        return;
      case 'CdtDbtInd':
        movement.isCredit = this.#isCredit(text);
        return;
      case 'RvslInd':
        movement.isReversal = text.trim() === 'true';
        return;
      case 'Sts':
      case 'Sts/Cd':
        movement.isBooked ||= text.trim() === 'BOOK';
        return;
      case 'ValDt/Dt':
      case 'ValDt/DtTm':
        movement.valueDay = this.#valueDay(text);
        return;
      case 'Refs/EndToEndId':
        if (text.trim() !== 'NOTPROVIDED') movement.reference = text.trim();
        return;
      case 'AcctSvcrRef':
      case 'Refs/AcctSvcrRef':
        movement.bankReference = text.trim();
        return;
      case 'AddtlNtryInf':
      case 'RmtInf/Ustrd':
        movement.text = movement.text === undefined ? text.trim() : `${movement.text} ${text.trim()}`;
    }
  }

  #readBalance(balance: Balance, { place, text, currency }: OpenElement): void {
    if (place?.name === 'Tp/CdOrPrtry/Cd') balance.code = text.trim();
    else if (place?.name === 'Amt') balance.amountMinor = this.#amount(text, currency, true);
    else if (place?.name === 'CdtDbtInd') balance.isCredit = this.#isCredit(text);
  }

  #closeBalance(): void {
    const { code, amountMinor, isCredit } = this.#balance ?? {};
    this.#balance = undefined;
    if (amountMinor === undefined || isCredit === undefined)
      throw new UnreadableStatement('amount', this.lineNo);
    const signed = isCredit ? amountMinor : -amountMinor;
    // The closing balance of the day before opens this one.
    if (code === 'OPBD' || code === 'PRCD') this.#balances.openingMinor = signed;
    else if (code === 'CLBD') this.#balances.closingMinor = signed;
  }

  #closeTransaction(): void {
    const { entry, transaction } = this.#current();
    this.#transaction = undefined;
    entry.transactions++;
    const { amountMinor } = transaction;
    // Only a single transaction may leave its amount to the entry.
    if (entry.sumMinor === undefined || (amountMinor === undefined && entry.transactions > 1))
      this.#refuse('sum');
    const own = this.#add({ ...entry, ...transaction });
    entry.sumMinor = amountMinor === undefined ? undefined : (entry.sumMinor ?? 0n) + own;
  }

  #closeEntry(): void {
    const { entry } = this.#current();
    this.#entry = undefined;
    this.#entries++;
    if (entry.transactions === 0) this.#add(entry);
    else if (entry.sumMinor !== undefined && entry.sumMinor !== this.#signed(entry)) this.#refuse('sum');
  }

  #current(): { entry: Entry; transaction: Movement } {
    return { entry: this.#entry ?? this.#refuse('markup'), transaction: this.#transaction ?? {} };
  }

  /** Adds a movement, if it is booked; returns its amount with its sign. */
  #add(movement: Movement): bigint {
    const amountMinor = this.#signed(movement);
    if (!movement.isBooked) return amountMinor;
    const { reference = '', bankReference = '', text = '', valueDay } = movement;
    if (reference.length > maxReferenceLength) this.#refuse('reference');
    this.#lines.push({
      lineNo: this.lineNo,
      reference,
      amountMinor,
      valueDay: valueDay ?? null,
      bankReference: bankReference.slice(0, maxReferenceLength).toWellFormed(),
      text: text.slice(0, maxTextLength).toWellFormed(),
    });
    this.#count++;
    this.#sumMinor += amountMinor;
    return amountMinor;
  }

  /** A reversal has the direction in which the money moves, so it needs no turning. */
  #signed({ amountMinor, isCredit }: Movement): bigint {
    if (amountMinor === undefined || amountMinor === 0n || isCredit === undefined) this.#refuse('amount');
    return isCredit ? (amountMinor ?? 0n) : -(amountMinor ?? 0n);
  }

  #amount(text: string, currency: string | undefined, isBalance = false): bigint {
    if (currency !== this.#currency) this.#refuse('currency');
    const plain = /^\d+(?:\.\d+)?$/.test(text.trim());
    const amountMinor = plain ? parseStatementAmount(text, this.#currency) : undefined;
    if (amountMinor === undefined || (amountMinor === 0n && !isBalance)) return this.#refuse('amount');
    return amountMinor;
  }

  #isCredit(text: string): boolean {
    const mark = text.trim();
    return mark === 'CRDT' || (mark !== 'DBIT' && this.#refuse('amount'));
  }

  /** Nearly all movements of a statement have the same one, which is then parsed once. */
  #valueDay(text: string): string {
    if (this.#lastDay?.text !== text)
      this.#lastDay = { text, day: parseStatementDay(text) ?? this.#refuse('date') };
    return this.#lastDay.day;
  }

  #refuse(fault: ConstructorParameters<typeof UnreadableStatement>[0]): never {
    throw new UnreadableStatement(fault, this.lineNo);
  }
}
