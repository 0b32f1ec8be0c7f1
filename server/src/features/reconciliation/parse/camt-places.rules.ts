/** A place in a statement whose elements are read, or hold others that are. */
export interface Place {
  /** Its path below the statement, entry, transaction or balance that it belongs to; empty if only elements inside it are read. */
  name: string;
  inside: Map<string, Place>;
}

/** Returns the place at a path, which is created if it is new. */
function placeAt(start: Place, path: string, name = path): Place {
  let place = start;
  for (const step of path.split('/')) {
    const next = place.inside.get(step) ?? { name: '', inside: new Map() };
    place.inside.set(step, next);
    place = next;
  }
  place.name = name;
  return place;
}

const statement: Place = { name: 'Stmt', inside: new Map() };
for (const path of ['Acct/Ccy', 'FrToDt/FrDtTm', 'FrToDt/FrDt', 'TxsSummry/TtlNtries/NbOfNtries'])
  placeAt(statement, path);

const balance = placeAt(statement, 'Bal');
for (const path of ['Tp/CdOrPrtry/Cd', 'Amt', 'CdtDbtInd']) placeAt(balance, path);

const entry = placeAt(statement, 'Ntry');
const transaction = placeAt(entry, 'NtryDtls/TxDtls', 'TxDtls');
const movementParts = [
  'Amt',
  'AmtDtls/TxAmt/Amt',
  'CdtDbtInd',
  'RvslInd',
  'Sts',
  'Sts/Cd',
  'ValDt/Dt',
  'ValDt/DtTm',
  'Refs/EndToEndId',
  'AcctSvcrRef',
  'Refs/AcctSvcrRef',
  'AddtlNtryInf',
  'RmtInf/Ustrd',
];
for (const movement of [entry, transaction]) for (const path of movementParts) placeAt(movement, path);

/** Returns the place of an element inside the last of the open ones; undefined if nothing there is read. */
export function placeUnder(path: readonly { place: Place | undefined }[], name: string): Place | undefined {
  if (path.length === 2) return name === 'Stmt' ? statement : undefined;
  return path.at(-1)?.place?.inside.get(name);
}
