import { blockText, networkOf, parseAddress } from './addresses.ts';

/** The keys under which calls from an address are counted together. */
export interface AddressGroup {
  /** One caller: an IPv4 address, or the /64 of an IPv6 address, all of which one host may use. */
  caller: string;
  /** The /48 of an IPv6 address: one site, which may use 65,536 networks of the first kind. */
  site: string | undefined;
}

const callerPrefixLength = 64;
const sitePrefixLength = 48;

/** Groups an address. IPv4 written as IPv6 counts as IPv4. All text that is no address is one caller. */
export function addressGroup(address: string): AddressGroup {
  const parsed = parseAddress(address);
  if (!parsed) return { caller: 'no address', site: undefined };
  if (parsed.kind() === 'ipv4') return { caller: parsed.toString(), site: undefined };
  const network = (prefixLength: number) =>
    blockText({ network: networkOf(parsed, prefixLength), prefixLength });
  return { caller: network(callerPrefixLength), site: network(sitePrefixLength) };
}
