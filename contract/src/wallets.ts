import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { base58, createBase58check } from '@scure/base';

/** The networks that carry USDT, each with the URL of its transaction explorer. */
export const networks = {
  TRC20: { name: 'Tron (TRC20)', explorer: 'https://tronscan.org/#/transaction/' },
  ERC20: { name: 'Ethereum (ERC20)', explorer: 'https://etherscan.io/tx/' },
  BEP20: { name: 'BNB Smart Chain (BEP20)', explorer: 'https://bscscan.com/tx/' },
  SOLANA: { name: 'Solana', explorer: 'https://solscan.io/tx/' },
} as const;
export type Network = keyof typeof networks;
export const networkCodes = Object.keys(networks) as [Network, ...Network[]];

const tronVersion = 0x41;
const tronBytes = 21;
const checksumBytes = 4;
const solanaBytes = 32;
const tronCheck = createBase58check(sha256);

/** A fault of an address: `form` does not fit the network at all, `checksum` comes from a mistyped character. */
type AddressFault = 'form' | 'checksum';

/** Checks an address's form, and its checksum if the network has one. Returns undefined for a valid address. */
export function addressFault(network: Network, address: string): AddressFault | undefined {
  if (network === 'TRC20') return tronFault(address);
  if (network === 'SOLANA') return isSolana(address) ? undefined : 'form';
  return evmFault(address);
}

/** Whether a text is an address of a network. */
export function isAddressOf(network: Network, address: string): boolean {
  return addressFault(network, address) === undefined;
}

/** Whether a text is a transaction hash as a network writes it. */
export function isTransactionOf(network: Network, id: string): boolean {
  if (network === 'TRC20') return /^[0-9a-f]{64}$/i.test(id);
  if (network === 'SOLANA') return decoded(id)?.length === 64;
  return /^0x[0-9a-f]{64}$/i.test(id);
}

/** Normalizes a transaction hash for storage: hexadecimal digits mean the same in either case. */
export function transactionOf(network: Network, id: string): string {
  return network === 'SOLANA' ? id : id.toLowerCase();
}

/** Base58Check of 21 bytes that begin with 0x41 (Tron, account model). */
function tronFault(address: string): AddressFault | undefined {
  const bytes = decoded(address);
  if (bytes?.length !== tronBytes + checksumBytes || bytes[0] !== tronVersion) return 'form';
  try {
    tronCheck.decode(address);
    return undefined;
  } catch {
    return 'checksum';
  }
}

/** Base58 of a 32-byte key. */
function isSolana(address: string): boolean {
  return decoded(address)?.length === solanaBytes;
}

function decoded(text: string): Uint8Array | undefined {
  try {
    return base58.decode(text);
  } catch {
    return undefined;
  }
}

/** 20 bytes in hexadecimal; in mixed case, the case is a checksum (EIP-55). */
function evmFault(address: string): AddressFault | undefined {
  if (!/^0x[0-9a-f]{40}$/i.test(address)) return 'form';
  const digits = address.slice(2);
  const isOneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase();
  return isOneCase || digits === checksummed(digits) ? undefined : 'checksum';
}

/** Applies the EIP-55 checksum to the case of hexadecimal digits. */
function checksummed(digits: string): string {
  const hash = keccak_256(utf8ToBytes(digits.toLowerCase()));
  const inCase = [...digits].map((digit, index) => {
    const nibble = ((hash[index >> 1] ?? 0) >> (index % 2 === 0 ? 4 : 0)) & 0xf;
    return nibble >= 8 ? digit.toUpperCase() : digit.toLowerCase();
  });
  return inCase.join('');
}

/** Returns the forms in which a typed address or transaction hash may be stored, the typed one first. */
export function spellingsOf(text: string): string[] {
  const address = /^0x([0-9a-f]{40})$/i.exec(text)?.[1];
  const checked = address === undefined ? [] : [`0x${checksummed(address)}`];
  return [...new Set([text, text.toLowerCase(), ...checked])];
}

const comparedLetters = 4;

/** Whether two different addresses begin and end alike, the parts that people compare and forgers imitate. */
export function looksLike(one: string, other: string): boolean {
  if (one === other) return false;
  const ends = (text: string) => {
    const plain = text.replace(/^0x/i, '').toLowerCase();
    return [plain.slice(0, comparedLetters), plain.slice(-comparedLetters)].join(' ');
  };
  return ends(one) === ends(other);
}

/** Returns a wallet's address in a form that is the same however it was typed: letters of EVM addresses have no case. */
export function walletKey(network: Network, address: string): string {
  return network === 'ERC20' || network === 'BEP20' ? address.toLowerCase() : address;
}
