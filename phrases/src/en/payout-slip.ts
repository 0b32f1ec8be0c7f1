export const payoutSlip = {
  title: 'Payout slip',
  payer: 'Payer',
  print: 'Print',
  check: 'This slip can be checked under this address until {{at}}.',
  qr: 'Address of this slip, as a QR code',
  make: 'Make a slip',
  open: 'Open the slip',
  link: 'Link to the slip',
  until: 'The link works until',
};
