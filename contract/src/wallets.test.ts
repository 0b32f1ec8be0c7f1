import { expect, it } from 'vitest';
import { addressFault, isAddressOf, isTransactionOf, looksLike, type Network } from './wallets.ts';

const tron = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const evm = '0xdAC17F958D2ee523a2206206994597C13D831ec7';
const solana = 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB';

it.each<[Network, string, boolean]>([
  ['TRC20', tron, true],
  ['TRC20', `${tron.slice(0, -1)}u`, false],
  ['TRC20', evm, false],
  ['TRC20', solana, false],
  ['ERC20', evm, true],
  ['BEP20', evm.toLowerCase(), true],
  ['ERC20', evm.replace('dAC', 'DAC'), false],
  ['ERC20', evm.slice(0, -1), false],
  ['ERC20', tron, false],
  ['SOLANA', solana, true],
  ['SOLANA', tron, false],
  ['SOLANA', `${solana}0`, false],
  ['SOLANA', '', false],
])('%s: %s is an address: %s', (network, address, is) => expect(isAddressOf(network, address)).toBe(is));

it.each<[Network, string, string | undefined]>([
  ['TRC20', tron, undefined],
  ['TRC20', `${tron.slice(0, -1)}u`, 'checksum'],
  ['TRC20', tron.slice(0, -1), 'form'],
  ['TRC20', evm, 'form'],
  ['ERC20', evm.replace('dAC', 'DAC'), 'checksum'],
  ['ERC20', evm.slice(0, -1), 'form'],
  ['SOLANA', tron, 'form'],
])('%s: the fault of %s is %s', (network, address, fault) =>
  expect(addressFault(network, address)).toBe(fault),
);

it.each<[Network, string, boolean]>([
  ['TRC20', 'a'.repeat(64), true],
  ['TRC20', `0x${'a'.repeat(64)}`, false],
  ['ERC20', `0x${'A'.repeat(64)}`, true],
  ['BEP20', 'a'.repeat(64), false],
  ['SOLANA', '5'.repeat(20), false],
])('%s: %s is a transaction: %s', (network, id, is) => expect(isTransactionOf(network, id)).toBe(is));

it('detects an address that begins and ends like another one', () => {
  expect(looksLike(evm, `0xdac1${'0'.repeat(32)}1EC7`)).toBe(true);
  expect(looksLike(evm, evm)).toBe(false);
  expect(looksLike(evm, evm.replace('0xdAC1', '0xdAC2'))).toBe(false);
});
