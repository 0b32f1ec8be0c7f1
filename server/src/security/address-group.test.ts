import { expect, it } from 'vitest';
import { addressGroup } from './address-group.ts';

it.each([
  ['203.0.113.9', '203.0.113.9', undefined],
  ['::ffff:203.0.113.9', '203.0.113.9', undefined],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['2001:0db8:0001:0002::', '2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['2001:db8::1', '2001:db8::/64', '2001:db8::/48'],
  ['fe80::1%eth0', 'no address', undefined],
  ['unknown', 'no address', undefined],
  ['', 'no address', undefined],
])('%s is counted with %s', (address, caller, site) => {
  expect(addressGroup(address)).toEqual({ caller, site });
});
