export const ipAddress = {
  title: 'IP address',
  intro:
    'Only these addresses can call the Open API. As long as the list is empty, all requests are blocked.',
  label: 'IP whitelist',
  hint: 'One IP address or CIDR block per line (IPv4 or IPv6).',
  placeholder: 'Please enter IP address.',
  check: 'Preview changes',
  save: 'Save',
  yoursIn: 'Your current address {{address}} would be allowed.',
  yoursOut: 'Your current address {{address}} would be blocked.',
  calls: 'API calls in the last 7 days',
  noCalls: 'No API calls in the last 7 days.',
  address: 'Address',
  count: 'Calls',
  outcome: 'With this list',
  allowed: 'Allowed',
  refused: 'Blocked',
  openTitle: 'Allow this many addresses?',
  openText:
    'If your key is ever stolen, it can be used from any of these addresses. If you can, list only the addresses of your own servers.',
  saveAnyway: 'Save anyway',
  closedTitle: 'Block your own systems?',
  closedText:
    'Your systems cannot create or query orders through the Open API until their addresses are on the list again.',
};
