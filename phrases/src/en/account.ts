export const account = {
  title: 'Account',
  available: 'Available funds',
  availableHint: 'Can be paid out or withdrawn now.',
  locked: 'Locked funds',
  lockedHint: 'Held for payouts and withdrawals under way.',
  balance: 'Balance',
  balanceHint: 'Available and locked funds together.',
  total: 'Total funds',
  totalHint: 'Balance and unsettled funds together.',
  ofWhichUnsettled: 'of which unsettled: {{amount}}',
};
