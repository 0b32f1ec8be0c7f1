export const ipAddress = {
  title: 'IP address',
  intro:
    'Your programs can call the Open API from these addresses only. With an empty list, every call is refused.',
  label: 'IP whitelist',
  hint: 'One address or CIDR block per line, IPv4 or IPv6.',
  check: 'What would it do?',
  save: 'Save',
  yoursIn: 'Your own address, {{address}}, would be let in.',
  yoursOut: 'Your own address, {{address}}, would not be let in.',
  calls: 'Calls of the last seven days',
  noCalls: 'No program has called in the last seven days.',
  address: 'Address',
  count: 'Calls',
  outcome: 'With this list',
  allowed: 'Let in',
  refused: 'Refused',
};
