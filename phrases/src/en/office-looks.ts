export const officeLooks = {
  title: '{{name}}: as the merchant sees it',
  see: 'See as this merchant',
  begin: 'Start viewing',
  text: 'For 30 minutes, you see what a member of this merchant with full read access sees. Nothing can be changed or exported. The merchant is notified, and its audit log records the time and your reason, but not your name.',
  reason: 'Reason',
  reasonHint: 'The merchant reads it. Use the merchant’s language.',
  looking: 'You see {{name}} as its own people do. You cannot change anything. Viewing ends at',
  pages: 'Pages of the merchant',
  collections: 'Collections',
  payouts: 'Payouts',
};
