import type { Movement } from './daily-statement.sql.ts';
import { type Currency, plainAmount } from './money.ts';

/** A day's movements, and the balance before them in minor units. */
export interface DailyStatement {
  currency: Currency;
  from: string;
  until: string;
  openingMinor: bigint;
  movements: readonly Movement[];
}

const words = { collection: 'Collection', payout: 'Payout', refund: 'Refund' } as const;

/** Writes a statement as the bank's CSV file: amounts with a sign, times in UTC. */
export function csvOf({ currency, movements }: DailyStatement): string {
  const rows = movements.map(({ kind, reference, bankNumber, amountMinor, movedAt }) =>
    [movedAt, reference, bankNumber, plainAmount(amountMinor, currency), words[kind]].join(','),
  );
  return `${['Booked at,Order number,Bank number,Amount,Text', ...rows].join('\n')}\n`;
}

/** Writes a statement as an ISO 20022 camt.053 message. */
export function camtOf({ currency, from, until, openingMinor, movements }: DailyStatement): string {
  const amount = (minor: bigint) =>
    `<Amt Ccy="${currency}">${plainAmount(minor < 0n ? -minor : minor, currency)}</Amt>` +
    `<CdtDbtInd>${minor < 0n ? 'DBIT' : 'CRDT'}</CdtDbtInd>`;
  const balance = (code: string, minor: bigint, at: string) =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>${amount(minor)}<Dt><DtTm>${at}</DtTm></Dt></Bal>`;
  const closingMinor = movements.reduce((sum, { amountMinor }) => sum + amountMinor, openingMinor);
  const entries = movements.map(
    ({ kind, reference, bankNumber, amountMinor, movedAt }) =>
      `<Ntry>${amount(amountMinor)}<Sts><Cd>BOOK</Cd></Sts><BookgDt><DtTm>${movedAt}</DtTm></BookgDt><ValDt><DtTm>${movedAt}</DtTm></ValDt>` +
      `<AcctSvcrRef>${bankNumber}</AcctSvcrRef><NtryDtls><TxDtls><Refs><EndToEndId>${reference}</EndToEndId></Refs>` +
      `<RmtInf><Ustrd>${words[kind]}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`,
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>',
    `<GrpHdr><MsgId>${from}</MsgId><CreDtTm>${until}</CreDtTm></GrpHdr><Stmt><Id>${from}</Id>`,
    `<Acct><Id><Othr><Id>SANDBOX</Id></Othr></Id><Ccy>${currency}</Ccy></Acct>`,
    balance('OPBD', openingMinor, from),
    balance('CLBD', closingMinor, until),
    `<TxsSummry><TtlNtries><NbOfNtries>${movements.length}</NbOfNtries></TtlNtries></TxsSummry>`,
    ...entries,
    '</Stmt></BkToCstmrStmt></Document>',
    '',
  ].join('\n');
}
