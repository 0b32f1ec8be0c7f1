export const officeLooks = {
  title: '{{name}}: as the merchant sees it',
  see: 'See as this merchant',
  begin: 'Begin to look',
  text: 'You see what a person of the merchant sees who may read everything, for 30 minutes. Nothing can be changed or exported. The merchant is notified, and its audit log names the time and your reason, but not you.',
  reason: 'Reason',
  reasonHint: 'The merchant reads it. Use the merchant’s language.',
  looking: 'You see {{name}} as its own people do. You can change nothing. The look ends at',
  pages: 'Pages of the merchant',
  collections: 'Collections',
  payouts: 'Payouts',
};
