export const payoutSlips = {
  title: 'Payment receipt',
  paid: 'Paid',
  payer: 'Payer',
  print: 'Print',
  check: 'You can verify this receipt at this address until {{at}}.',
  qr: 'QR code to verify this receipt',
  make: 'Create receipt',
  open: 'View receipt',
  link: 'Receipt link',
  until: 'Link valid until',
  revoke: 'Revoke links',
  revokeWarning:
    'All existing links to this receipt will stop working, and printed copies can no longer be verified.',
  revokeAll: 'Revoke all links',
  keep: 'Keep links',
  revoked: 'All links to this receipt have been revoked.',
};
